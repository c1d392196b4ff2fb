import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseUsd } from '#domain/money/nano-usd.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { createPostgresAccount } from '#store/postgres/account/postgres-account.ts'
import { createPools } from '#store/postgres/pools.ts'
import { type AccountWorld, createAccountWorld } from './account-world.ts'

describe('GET /v1/credits', () => {
  let world: AccountWorld
  beforeAll(async () => {
    world = await createAccountWorld()
  })
  afterAll(() => world.database.drop())

  it('[ACCT-11] shows what was credited, without fees, and what was charged', async () => {
    const caller = await world.newCaller('25.5')
    expect(await world.get('/v1/credits', caller)).toEqual({ total_credits: 25.5, total_usage: 0 })
  })

  it('[ACCT-12] grows by exactly the cost of a charged call, and not at all after a refunded one', async () => {
    const caller = await world.newCaller('10')
    await world.settle(caller, { cost: parseUsd('0.000123457') })
    expect(await world.get('/v1/credits', caller)).toEqual({ total_credits: 10, total_usage: 0.000123457 })
    await world.settle(caller, { refundReason: 'stream_interrupted' })
    expect(await world.get('/v1/credits', caller)).toEqual({ total_credits: 10, total_usage: 0.000123457 })
  })

  it('[P4] counts a call once, however often it is settled', async () => {
    const caller = await world.newCaller('10')
    const record = await world.settle(caller, { cost: parseUsd('0.1') })
    await Promise.all(Array.from({ length: 10 }, () => world.settle(caller, record)))
    expect(await world.get('/v1/credits', caller)).toEqual({ total_credits: 10, total_usage: 0.1 })
    expect(await world.get('/v1/key', caller)).toMatchObject({ usage: 0.1, requests: 1 })
  })

  it('answers 503 and not 401 or 500 when Postgres is away', async () => {
    // Nothing listens on the discard port.
    const pools = createPools({ url: 'postgres://postgres@127.0.0.1:9/weir', poolMax: 1, onError: () => {} })
    const { account } = createPostgresAccount(pools.general)
    const error = await account
      .readWalletTotals('01890000-0000-7000-8000-000000000000')
      .catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(GatewayError)
    expect(error).toMatchObject({ errorName: 'storeUnavailable', row: { status: 503 } })
    await pools.close()
  })
})
