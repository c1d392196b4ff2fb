import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setBreaker } from '#control/operators/operate-user.ts'
import { operatorAuthor } from '#control/operators/platform-entry.ts'
import { parseUsd } from '#domain/money/nano-usd.ts'
import { createPostgresOperators } from '#store/postgres/operators/postgres-operators.ts'
import { type MoneyWorld, startMoneyWorld } from '#test/money/money-world.ts'
import type { TestClient } from '#test/setup/accounts.ts'
import { createTestClock } from '#test/setup/clock.ts'
import type { Reply } from '#test/setup/reply.ts'
import { vendorCompletion } from '#test/simulators/scenarios/vendor-completion.ts'

// A Monday.
const clock = createTestClock('2030-01-07T12:00:15Z')
let world: MoneyWorld

beforeAll(async () => {
  world = await startMoneyWorld({}, clock)
  // 500 completion tokens at 0.000012 are six tenths of a cent.
  const usage = { prompt: 0, completion: 500 }
  world.upstream.play(vendorCompletion('openai', { kind: 'text', pieces: ['Hi'], usage }))
})
afterAll(() => world.close())

/** Sends a request that costs 0.006 and holds 0.006015. */
function spend(caller: { key: string }): Promise<Reply> {
  return world.call(caller, { max_tokens: 500 })
}

async function statuses(caller: { key: string }, moments: readonly string[]): Promise<number[]> {
  const found: number[] = []
  for (const moment of moments) {
    clock.set(moment)
    found.push((await spend(caller)).status)
  }
  return found
}

describe("[P15] a key's spend limit", () => {
  it('per day begins anew at midnight UTC', async () => {
    const caller = await world.createClient({ terms: { limit: parseUsd('0.01'), period: 'day' } })
    expect(
      await statuses(caller, [
        '2030-01-08T00:00:00Z',
        '2030-01-08T23:59:59Z',
        '2030-01-09T00:00:00Z',
        '2030-01-09T00:00:01Z',
      ]),
    ).toEqual([200, 402, 200, 402])
  })

  it('per week begins anew on Monday', async () => {
    const caller = await world.createClient({ terms: { limit: parseUsd('0.01'), period: 'week' } })
    expect(
      await statuses(caller, [
        '2030-01-15T12:00:00Z',
        '2030-01-16T12:00:00Z',
        '2030-01-20T23:59:59Z',
        '2030-01-21T00:00:00Z',
      ]),
    ).toEqual([200, 402, 402, 200])
  })

  it('per month begins anew on the first', async () => {
    const caller = await world.createClient({ terms: { limit: parseUsd('0.01'), period: 'month' } })
    expect(
      await statuses(caller, [
        '2030-01-31T12:00:00Z',
        '2030-01-31T23:59:59Z',
        '2030-02-01T00:00:00Z',
        '2030-02-28T23:59:59Z',
      ]),
    ).toEqual([200, 402, 200, 402])
  })

  it('for its whole life never begins anew', async () => {
    const caller = await world.createClient({ terms: { limit: parseUsd('0.01'), period: null } })
    expect(await statuses(caller, ['2030-03-01T12:00:00Z', '2031-03-01T12:00:00Z', '2035-01-01T00:00:00Z'])).toEqual([
      200, 402, 402,
    ])
  })

  it('refuses with 402 and what is left, and takes nothing from the wallet', async () => {
    const caller = await world.createClient({ terms: { limit: parseUsd('0.01'), period: 'day' } })
    await spend(caller)
    const refused = await spend(caller)
    expect(refused.json).toMatchObject({
      error: { code: 'spend_limit_exceeded', message: expect.stringContaining("key's daily spend limit") },
    })
    expect(refused.text).toContain('$0.004 is left')
    expect(await world.walletOf(caller.walletId)).toEqual({ balance: '24.994', held: '0', charged: '0.006' })
    await world.expectSoundBooks()
  })

  it('that is set later counts what the period has seen already', async () => {
    const caller = await world.createClient()
    clock.set('2036-01-01T10:00:00Z')
    expect((await spend(caller)).status).toBe(200)
    await world.pool.query(
      "UPDATE api_keys SET spend_limit_nano = 10000000, spend_limit_period = 'day' WHERE id = $1",
      [caller.keyId],
    )
    // A process may not have received the change yet, so requests within that time are not counted.
    clock.set('2036-01-01T10:00:20Z')
    expect((await spend(caller)).status).toBe(402)
    clock.set('2036-01-02T10:00:00Z')
    expect((await spend(caller)).status).toBe(200)
  })
})

describe('the spend breaker of a user', () => {
  it.each([
    ['minute', { minute: '0.01', hour: '1' }, '2040-01-01T10:00:45Z', '2040-01-01T10:01:00Z', 15],
    ['hour', { minute: '1', hour: '0.01' }, '2040-01-01T11:45:00Z', '2040-01-01T12:00:00Z', 900],
  ] as const)(
    '[P15] per %s refuses with scope and window, and asks not to be retried',
    async (window, limits, start, next, seconds) => {
      const caller = await world.createClient()
      const other = await world.addKey(caller.userId)
      await breakAt(caller, limits)
      clock.set(start)
      // 0.006 is spent, which is below 0.01.
      expect((await spend(caller)).status).toBe(200)
      expect((await spend(other)).status).toBe(200)
      const tripped = await spend(other)
      expect(tripped.status).toBe(429)
      expect(tripped.json).toMatchObject({ error: { code: 429, type: 'rate_limit_error' } })
      expect(tripped.text).toContain('user scope')
      expect(tripped.text).toContain(`${window} window`)
      expect(tripped.headers.get('x-should-retry')).toBe('false')
      expect(tripped.headers.get('retry-after')).toBe(String(seconds))
      clock.set(next)
      expect((await spend(other)).status).toBe(200)
      await world.expectSoundBooks()
    },
  )

  it('[P2] a call refused by one limit leaves no other reduced', async () => {
    const caller = await world.createClient({ terms: { limit: parseUsd('1'), period: 'day' } })
    await breakAt(caller, { minute: '0.01', hour: '1' })
    clock.set('2041-01-01T10:00:00Z')
    await spend(caller)
    await spend(caller)
    for (let turn = 0; turn < 5; turn += 1) expect((await spend(caller)).status).toBe(429)
    const { rows } = await world.pool.query<{ kind: string; spent: string; held: string }>(
      `SELECT kind, spent_nano AS spent, held_nano AS held FROM spend_windows WHERE owner_id IN ($1, $2) ORDER BY kind`,
      [caller.keyId, caller.userId],
    )
    expect(rows).toEqual(
      ['key_day', 'user_hour', 'user_minute'].map((kind) => ({ kind, spent: '12000000', held: '0' })),
    )
  })
})

async function breakAt(caller: TestClient, limits: { minute: string | null; hour: string | null }): Promise<void> {
  const { users } = createPostgresOperators(world.pool)
  const minute = limits.minute === null ? null : parseUsd(limits.minute)
  const hour = limits.hour === null ? null : parseUsd(limits.hour)
  const breaker = { enabled: true, minute, hour }
  await setBreaker({ users, announce: async () => {} }, { reference: caller.userId, breaker }, operatorAuthor(0).actor)
}
