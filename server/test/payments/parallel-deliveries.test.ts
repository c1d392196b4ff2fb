import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serverEnvironment } from '#test/drills/setup/server-environment.ts'
import { type ServerProcess, startServerProcess } from '#test/drills/setup/server-process.ts'
import { ownOrigin } from '#test/setup/own-origin.ts'
import { redisPrefixOf, testRedisUrl } from '#test/setup/redis.ts'
import { type PaymentWorld, startPaymentWorld } from './payment-world.ts'

const deliveries = 100

describe('deliveries of one event to three gateways, each a process of its own', () => {
  let world: PaymentWorld
  let folder: string
  let gateways: readonly ServerProcess[] = []

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'weir-deliveries-'))
    world = await startPaymentWorld()
    const { provider, databaseUrl } = world
    const env = {
      ...serverEnvironment({ postgres: databaseUrl, redis: testRedisUrl() }),
      WEIR_REDIS_PREFIX: redisPrefixOf(databaseUrl),
      WEIR_HTTP_PUBLIC_URL: ownOrigin,
      WEIR_PAYMENTS_STRIPE_SECRET_KEY: provider.secretKey,
      WEIR_PAYMENTS_STRIPE_WEBHOOK_SECRETS: provider.webhookSecret,
      WEIR_PAYMENTS_STRIPE_URL: provider.url,
    }
    gateways = await Promise.all(
      Array.from({ length: 3 }, async () =>
        startServerProcess({ command: 'gateway', dataFolder: await mkdtemp(join(folder, 'gateway-')), env }),
      ),
    )
    provider.webhooks.targets = gateways.map(({ url }) => url)
  })
  afterAll(async () => {
    for (const gateway of gateways) await gateway.kill()
    await world.close()
    await rm(folder, { recursive: true, force: true })
  })

  it('P3 credit once, in whichever processes they meet', async () => {
    const payer = await world.payer()
    const { id } = await world.order(payer, 25)
    world.pay(id)
    const event = world.provider.state.events.at(-1)
    if (event === undefined) throw new Error('no event')
    const sent = await Promise.all(Array.from({ length: deliveries }, () => world.provider.webhooks.send(event)))
    expect(sent.map(({ status }) => status)).toEqual(Array.from({ length: deliveries }, () => 200))
    expect(await world.balanceOf(payer)).toBe('25')
    expect(await world.transfersOf(payer.walletId)).toEqual([
      'top_up cash>wallet 25',
      'fee cash>fees 2.5',
      'processor_fee processor>cash 1.1',
    ])
    expect(await world.read(payer, id)).toMatchObject({ state: 'paid', paid: 27.5, credited: 25, checkout_url: null })
    await world.deliver()
    await world.keepBooks()
    expect(await world.audit()).toEqual([])
  })
})
