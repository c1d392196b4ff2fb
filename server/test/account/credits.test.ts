import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseUsd } from '#domain/money/nano-usd.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { createPostgresAccount } from '#store/postgres/account/postgres-account.ts'
import { settleGenerations } from '#store/postgres/money/settle-generations.sql.ts'
import { createPools } from '#store/postgres/pools.ts'
import { settleEntry } from '#test/money/settles.ts'
import { serverError } from '#test/simulators/scenarios/error-faults.ts'
import { type CentWorld, startCentWorld } from './cent-world.ts'

describe('GET /v1/credits', () => {
  let world: CentWorld
  beforeAll(async () => {
    world = await startCentWorld()
  })
  afterAll(() => world.close())

  const credits = (caller: { key: string }) => world.get(caller, '/v1/credits')

  it('[ACCT-11] shows what was credited, without fees, and what was charged', async () => {
    const caller = await world.createClient({ usd: '25.5' })
    expect(await credits(caller)).toEqual({ total_credits: 25.5, total_usage: 0 })
    await world.spend(caller, 125)
    expect(await credits(caller)).toEqual({ total_credits: 25.5, total_usage: 1.25 })
  })

  it('[ACCT-11] answers 401 without a key, and 403 to a suspended account', async () => {
    expect((await world.as().get('/v1/credits')).status).toBe(401)
    const caller = await world.createClient()
    const operator = await world.addOperatorKey()
    const suspended = await world.as(operator).post(`/api/admin/users/${caller.userId}/suspend`, {})
    expect(suspended.status).toBe(200)
    await expect.poll(async () => (await world.as(caller).get('/v1/credits')).status).toBe(403)
  })

  it('[ACCT-12] grows by exactly the cost of a charged call, and not at all after a refunded one', async () => {
    const caller = await world.createClient({ usd: '10' })
    const { json } = await world.spend(caller, 7)
    expect(json.usage).toMatchObject({ cost: 0.07 })
    expect(await credits(caller)).toEqual({ total_credits: 10, total_usage: 0.07 })
    world.upstream.play(serverError(500))
    expect((await world.call(caller, {})).status).toBe(502)
    expect(await credits(caller)).toEqual({ total_credits: 10, total_usage: 0.07 })
  })

  it('[MONEY-09] [P4] counts a call once, however often and wherever it is settled again', async () => {
    const caller = await world.createClient({ usd: '10' })
    await world.spend(caller, 10)
    const { id } = await world.lastRecord(caller)
    const again = settleEntry({ ...caller, id }, parseUsd('0.1'))
    await Promise.all(Array.from({ length: 10 }, () => settleGenerations(world.pool, [again])))
    expect(await credits(caller)).toEqual({ total_credits: 10, total_usage: 0.1 })
    expect(await world.get(caller, '/v1/key')).toMatchObject({ usage: 0.1, requests: 1, limit_remaining: 9.9 })
    await world.expectSoundBooks()
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
