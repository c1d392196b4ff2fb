import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { serverEnvironment } from '#test/drills/setup/server-environment.ts'
import { type ServerProcess, startServerProcess } from '#test/drills/setup/server-process.ts'
import { ownOrigin } from '#test/setup/own-origin.ts'
import { redisPrefixOf, testRedisUrl } from '#test/setup/redis.ts'
import { attemptsOf, autoPayer, type AutoPayer, chargesOf, hold, spend } from './auto-payer.ts'
import { type PaymentWorld, startPaymentWorld } from './payment-world.ts'

const lanes = 8
const requestsPerLane = 75
const costUsd = 0.5

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0)
}

describe('[P13] automatic top-up by workers, each a process of its own', () => {
  let world: PaymentWorld
  let folder: string
  let running: ServerProcess[] = []
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'weir-auto-'))
    world = await startPaymentWorld()
  })
  afterEach(async () => {
    for (const worker of running) await worker.kill()
    running = []
    await world.deliver()
    await world.keepBooks()
    expect(await world.audit()).toEqual([])
  })
  afterAll(async () => {
    await world.close()
    await rm(folder, { recursive: true, force: true })
  })

  async function startWorker(failpoints = ''): Promise<ServerProcess> {
    const { provider, databaseUrl } = world
    const worker = await startServerProcess({
      command: 'worker',
      dataFolder: await mkdtemp(join(folder, 'worker-')),
      env: {
        ...serverEnvironment({ postgres: databaseUrl, redis: testRedisUrl() }),
        WEIR_REDIS_PREFIX: redisPrefixOf(databaseUrl),
        WEIR_HTTP_PUBLIC_URL: ownOrigin,
        WEIR_PAYMENTS_STRIPE_SECRET_KEY: provider.secretKey,
        WEIR_PAYMENTS_STRIPE_WEBHOOK_SECRETS: provider.webhookSecret,
        WEIR_PAYMENTS_STRIPE_URL: provider.url,
        WEIR_PAYMENTS_LOOK_EVERY_MS: '50',
        WEIR_FAILPOINTS: failpoints,
      },
    })
    running.push(worker)
    return worker
  }

  /** Many concurrent requests that hold and then cost money. A stubborn client retries rejected ones. */
  async function storm(payer: AutoPayer, isStubborn: boolean): Promise<number> {
    const usd = String(costUsd)
    let spent = 0
    const lane = async (): Promise<void> => {
      for (let sent = 0; sent < requestsPerLane; sent += 1) {
        const id = await hold(world, payer, usd)
        if (id === null) {
          if (isStubborn) sent -= 1
          continue
        }
        await spend(world, payer, { id, usd })
        spent += 1
      }
    }
    await Promise.all(Array.from({ length: lanes }, lane))
    return spent
  }

  const boughtSoFar = async (payer: AutoPayer): Promise<number> =>
    sum((await attemptsOf(world, payer)).map((attempt) => Number(attempt.split(' ')[1])))
  const creditsOf = async (payer: AutoPayer): Promise<number[]> =>
    (await attemptsOf(world, payer)).map((attempt) => {
      expect(attempt).toMatch(/^paid /)
      return Number(attempt.slice('paid '.length))
    })

  it('charges once for each gap, however many requests cross the threshold and however many workers look', async () => {
    await Promise.all([startWorker(), startWorker(), startWorker()])
    const payer = await autoPayer(world, { usd: '20', day_max: 490, month_max: 490 })
    const spent = (await storm(payer, true)) * costUsd
    expect(spent).toBe(lanes * requestsPerLane * costUsd)
    for (const worker of running.splice(0)) await worker.terminate()
    const credits = await creditsOf(payer)
    // A charge closes the whole gap, which is more than the 40 from the threshold to the target. A second charge for
    // the same gap, or part of it, would be smaller, or exceed the target.
    expect(Math.min(...credits)).toBeGreaterThan(40)
    expect(credits.length).toBeLessThanOrEqual(Math.ceil(spent / 40))
    expect(Number(await world.balanceOf(payer))).toBe(20 + sum(credits) - spent)
    expect(Number(await world.balanceOf(payer))).toBeLessThanOrEqual(50)
    expect(chargesOf(world, payer)).toHaveLength(credits.length)
  })

  it('never buys more than the caps, whatever is asked for', async () => {
    await Promise.all([startWorker(), startWorker()])
    const payer = await autoPayer(world, { usd: '20', day_max: 100, month_max: 100 })
    while ((await boughtSoFar(payer)) <= 95) await storm(payer, false)
    await storm(payer, false)
    for (const worker of running.splice(0)) await worker.terminate()
    const bought = sum(await creditsOf(payer))
    // The remaining amount of the cap is below the smallest amount sold.
    expect(bought).toBeGreaterThan(95)
    expect(bought).toBeLessThanOrEqual(100)
    expect(sum(chargesOf(world, payer))).toBeLessThanOrEqual(11_000)
  })

  it.each(['after-attempt', 'after-charge', 'before-payment-commit'])(
    'is finished by the next worker and charged once where one is killed: %s',
    async (place) => {
      const victim = await startWorker(`${place}=exit`)
      const payer = await autoPayer(world, { usd: '1' })
      await victim.exited
      expect(await attemptsOf(world, payer)).toEqual(['open 49'])
      expect(chargesOf(world, payer)).toHaveLength(place === 'after-attempt' ? 0 : 1)
      await world.letPass()
      await world.work('payments')
      expect(await attemptsOf(world, payer)).toEqual(['paid 49'])
      expect(chargesOf(world, payer)).toEqual([5_390])
      expect(await world.balanceOf(payer)).toBe('50')
    },
  )
})
