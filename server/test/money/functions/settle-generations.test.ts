import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { noUsage } from '#domain/inference/usage.ts'
import type { GenerationRecord } from '#domain/ledger/generation-record.ts'
import type { LimitedWindow } from '#domain/limits/scopes.ts'
import { newUuid } from '#lib/uuid.ts'
import { settleGenerations } from '#store/postgres/money/settle-generations.sql.ts'
import { type Payer, settleEntry } from '../settles.ts'
import { holdOf, type MoneyStore, nano, openMoneyStore, startsAtMs, type StorePayer } from './money-store.ts'

let store: MoneyStore

beforeAll(async () => {
  store = await openMoneyStore()
})
afterAll(() => store.close())

type Settled = { id: string; cost: number; windows?: readonly LimitedWindow[]; record?: Partial<GenerationRecord> }

/** The charge of each generation, and the amount that the operator absorbs. */
async function settle(payer: Omit<Payer, 'id'>, settled: readonly Settled[]): Promise<string[]> {
  const entries = settled.map(({ id, cost, windows = [], record }) => {
    const entry = settleEntry({ ...payer, id }, nano(cost), { startedAtMs: startsAtMs, windows })
    return { ...entry, record: { ...entry.record, ...record } }
  })
  const charges = await settleGenerations(store.pool, entries)
  return charges.map(({ cost, absorbed }) => `${cost} and ${absorbed}`)
}

async function heldIds(
  payer: StorePayer,
  amounts: readonly number[],
  windows: readonly LimitedWindow[] = [],
): Promise<string[]> {
  const holds = amounts.map((amount) => holdOf(payer, amount, { windows, estimate: 1 }))
  await store.place(holds)
  return holds.map(({ id }) => id)
}

async function transfersOf(ids: readonly string[]): Promise<unknown[]> {
  const { rows } = await store.pool.query(
    `SELECT leg || ' ' || debit || ' to ' || credit || ' ' || amount_nano AS moved FROM ledger_transfers WHERE id = ANY ($1) AND kind = 'charge'
     ORDER BY amount_nano`,
    [ids],
  )
  return rows.map(({ moved }) => moved)
}

describe('a settle', () => {
  it('[MONEY-08] charges a request during which the clock jumped, alone and in a batch', async () => {
    const payer = await store.payer(1_000)
    const ids = await heldIds(payer, [40, 30, 20])
    const [ahead = '', first = '', second = ''] = ids
    const monthMs = 40 * 86_400_000
    const late = { firstTokenMs: monthMs, durationMs: monthMs }
    const early = { firstTokenMs: -monthMs, durationMs: 0 }
    expect(await settle(payer, [{ id: ahead, cost: 25, record: late }])).toEqual(['25 and 0'])
    const batch = [
      { id: first, cost: 20, record: late },
      { id: second, cost: 10, record: early },
    ]
    expect(await settle(payer, batch)).toEqual(['20 and 0', '10 and 0'])
    const text = `SELECT first_token_ms || ' of ' || duration_ms AS span FROM generations WHERE id = ANY ($1) ORDER BY cost_nano`
    const { rows } = await store.pool.query<{ span: string }>(text, [ids])
    expect(rows.map(({ span }) => span)).toEqual(['0 of 0', '2147483647 of 2147483647', '2147483647 of 2147483647'])
  })

  it('[MONEY-08] charges the cost, ends the hold and counts in every window', async () => {
    const payer = await store.payer(1_000)
    const windows = await store.windows(payer, { key_day: 500, user_minute: 500 })
    const [first = '', second = '', free = ''] = await heldIds(payer, [40, 30, 20], windows)
    const open = await heldIds(payer, [10], windows)
    expect(
      await settle(payer, [
        { id: first, cost: 25, windows },
        { id: second, cost: 30, windows },
        { id: free, cost: 0, windows },
      ]),
    ).toEqual(['25 and 0', '30 and 0', '0 and 0'])
    expect(await store.walletOf(payer)).toEqual({ balance: 945, held: 10, charged: 55 })
    expect(await store.sumsOf(windows)).toEqual({
      key_day: { spent: 55, held: 10 },
      user_minute: { spent: 55, held: 1 },
    })
    expect(await transfersOf([first, second, free])).toEqual(['0 wallet to usage 25', '0 wallet to usage 30'])
    const { rows } = await store.pool.query('SELECT id FROM holds WHERE wallet_id = $1', [payer.walletId])
    expect(rows.map(({ id }) => id)).toEqual(open)
  })

  it('[MONEY-09] that is sent again changes nothing and answers the first cost', async () => {
    const payer = await store.payer(1_000)
    const windows = await store.windows(payer, { key_day: 500 })
    const [id = '', other = ''] = await heldIds(payer, [40, 30], windows)
    await settle(payer, [{ id, cost: 25, windows }])
    // A repeated generation with another cost, above what any hold covers, next to a new one.
    expect(
      await settle(payer, [
        { id, cost: 700, windows },
        { id: other, cost: 30, windows },
      ]),
    ).toEqual(['25 and 0', '30 and 0'])
    expect(await store.walletOf(payer)).toEqual({ balance: 945, held: 0, charged: 55 })
    expect(await store.sumsOf(windows)).toEqual({ key_day: { spent: 55, held: 0 } })
  })

  it('[MONEY-09] that is sent again takes nothing of what another of its batch lacks', async () => {
    const payer = await store.payer(100)
    const [id = '', other = ''] = await heldIds(payer, [40, 30])
    await settle(payer, [{ id, cost: 25 }])
    expect(
      await settle(payer, [
        { id, cost: 700 },
        { id: other, cost: 75 },
      ]),
    ).toEqual(['25 and 0', '75 and 0'])
    expect(await store.walletOf(payer)).toEqual({ balance: 0, held: 0, charged: 100 })
  })

  it.each([1, 20])('[HOLD-06] without a cost returns its whole hold of %i', async (held) => {
    const payer = await store.payer(100)
    const windows = await store.windows(payer, { key_day: 100 })
    const [id = ''] = await heldIds(payer, [held], windows)
    expect(await settle(payer, [{ id, cost: 0, windows }])).toEqual(['0 and 0'])
    expect(await store.walletOf(payer)).toEqual({ balance: 100, held: 0, charged: 0 })
    expect(await store.sumsOf(windows)).toEqual({ key_day: { spent: 0, held: 0 } })
    expect(await transfersOf([id])).toEqual([])
  })

  it('charges a single nano-dollar', async () => {
    const payer = await store.payer(100)
    const [id = ''] = await heldIds(payer, [1])
    expect(await settle(payer, [{ id, cost: 1 }])).toEqual(['1 and 0'])
    expect(await store.walletOf(payer)).toEqual({ balance: 99, held: 0, charged: 1 })
    expect(await transfersOf([id])).toEqual(['0 wallet to usage 1'])
  })

  it('of one payer touches no other in its batch', async () => {
    const [one, two] = [await store.payer(100), await store.payer(100)]
    const [ofOne = ''] = await heldIds(one, [40])
    const [ofTwo = ''] = await heldIds(two, [30])
    const entries = [settleEntry({ ...one, id: ofOne }, nano(4)), settleEntry({ ...two, id: ofTwo }, nano(3))]
    await settleGenerations(store.pool, entries)
    expect([await store.walletOf(one), await store.walletOf(two)]).toEqual([
      { balance: 96, held: 0, charged: 4 },
      { balance: 97, held: 0, charged: 3 },
    ])
  })
})

describe('a cost above its hold', () => {
  it('[MONEY-10] is charged to the last of the wallet, and no further', async () => {
    const payer = await store.payer(80, { creditLine: 20 })
    const [id = '', open = ''] = await heldIds(payer, [40, 25])
    expect(await settle(payer, [{ id, cost: 75 }])).toEqual(['75 and 0'])
    expect(await store.walletOf(payer)).toEqual({ balance: 5, held: 25, charged: 75 })
    expect(await settle(payer, [{ id: open, cost: 26 }])).toEqual(['25 and 1'])
    expect(await store.walletOf(payer)).toEqual({ balance: -20, held: 0, charged: 100 })
    const { rows } = await store.pool.query(
      'SELECT cost_nano::int AS cost, absorbed_nano::int AS absorbed FROM generations WHERE id = ANY ($1) ORDER BY cost_nano',
      [[id, open]],
    )
    expect(rows).toEqual([
      { cost: 25, absorbed: 1 },
      { cost: 75, absorbed: 0 },
    ])
  })

  it('[MONEY-10] is charged to the last of a limit, and breakers are none', async () => {
    const payer = await store.payer(1_000)
    const windows = await store.windows(payer, { key_day: 100, key_week: 90, user_minute: 10 })
    const [id = '', open = ''] = await heldIds(payer, [40, 20], windows)
    expect(await settle(payer, [{ id, cost: 71, windows }])).toEqual(['70 and 1'])
    expect(await store.sumsOf(windows)).toEqual({
      key_day: { spent: 70, held: 20 },
      key_week: { spent: 70, held: 20 },
      user_minute: { spent: 70, held: 1 },
    })
    expect(await store.walletOf(payer)).toEqual({ balance: 930, held: 20, charged: 70 })
    // Nothing remains of the weekly limit, so the request only pays its hold.
    expect(await settle(payer, [{ id: open, cost: 21, windows }])).toEqual(['20 and 1'])
    expect(await store.sumsOf(windows)).toMatchObject({ key_week: { spent: 90, held: 0 } })
  })

  it('[MONEY-10] takes what is left in the order of the batch', async () => {
    const payer = await store.payer(100)
    const windows = await store.windows(payer, { key_day: 95 })
    const [first = '', second = '', third = ''] = await heldIds(payer, [30, 30, 30], windows)
    expect(
      await settle(payer, [
        { id: first, cost: 33, windows },
        { id: second, cost: 33, windows },
        { id: third, cost: 33, windows },
      ]),
    ).toEqual(['33 and 0', '32 and 1', '30 and 3'])
    expect(await store.walletOf(payer)).toEqual({ balance: 5, held: 0, charged: 95 })
    expect(await store.sumsOf(windows)).toEqual({ key_day: { spent: 95, held: 0 } })
  })

  it('[MONEY-10] gives the last nano-dollar away once', async () => {
    const payer = await store.payer(61)
    const [first = '', second = ''] = await heldIds(payer, [30, 30])
    const batch = [first, second].map((id) => ({ id, cost: 31 }))
    expect(await settle(payer, batch)).toEqual(['31 and 0', '30 and 1'])
    expect(await store.walletOf(payer)).toEqual({ balance: 0, held: 0, charged: 61 })
  })

  it('adds to what the gateway could not charge already', async () => {
    const payer = await store.payer(100)
    const [id = ''] = await heldIds(payer, [100])
    expect(await settle(payer, [{ id, cost: 104, record: { absorbed: nano(7) } }])).toEqual(['100 and 11'])
  })

  it.each([
    [30, { charged: 30, absorbed: 0 }],
    [101, { charged: 100, absorbed: 1 }],
  ])('of %i is bound by the wallet alone where no limits are told', async (cost, expected) => {
    const payer = await store.payer(100)
    const windows = await store.windows(payer, { key_day: 10 })
    const [id = ''] = await heldIds(payer, [10], windows)
    const { rows } = await store.pool.query(
      `SELECT charged_nano::int AS charged, absorbed_nano::int AS absorbed FROM settle_generations(ARRAY[$1]::uuid[], ARRAY[$2]::uuid[], $3,
         ARRAY[$1]::uuid[], '{key_day}', ARRAY[$4]::uuid[], ARRAY[$5]::bigint[])`,
      [id, payer.walletId, JSON.stringify([bareRecord(id, payer, { cost_nano: cost })]), payer.keyId, startsAtMs],
    )
    expect(rows).toEqual([expected])
    expect(await store.sumsOf(windows)).toEqual({ key_day: { spent: expected.charged, held: 0 } })
  })
})

describe('a cost whose hold is gone', () => {
  it('[MONEY-10] is charged as far as wallet and limits have room', async () => {
    const payer = await store.payer(100)
    const windows = await store.windows(payer, { key_day: 60, user_minute: 10 })
    const [gone, later] = [newUuid(startsAtMs), newUuid(startsAtMs)]
    expect(await settle(payer, [{ id: gone, cost: 50, windows }])).toEqual(['50 and 0'])
    expect(await store.sumsOf(windows)).toEqual({
      key_day: { spent: 50, held: 0 },
      user_minute: { spent: 50, held: 0 },
    })
    expect(await settle(payer, [{ id: later, cost: 50, windows }])).toEqual(['10 and 40'])
    expect(await store.walletOf(payer)).toEqual({ balance: 40, held: 0, charged: 60 })
    const last = newUuid(startsAtMs)
    expect(await settle(payer, [{ id: last, cost: 5, windows }])).toEqual(['0 and 5'])
    expect(await transfersOf([gone, later, last])).toEqual(['0 wallet to usage 10', '0 wallet to usage 50'])
  })

  it('[MONEY-10] is counted in the only window that it has, and nowhere else', async () => {
    const [one, two] = [await store.payer(100), await store.payer(100)]
    const [ofOne, ofTwo] = [await store.windows(one, { key_day: 60 }), await store.windows(two, { key_week: 60 })]
    const entries = [
      settleEntry({ ...one, id: newUuid(startsAtMs) }, nano(50), { windows: ofOne }),
      settleEntry({ ...two, id: newUuid(startsAtMs) }, nano(61), { windows: ofTwo }),
    ]
    expect(await settleGenerations(store.pool, entries.slice(0, 1))).toEqual([{ cost: 50n, absorbed: 0n }])
    expect(await store.sumsOf(ofOne)).toEqual({ key_day: { spent: 50, held: 0 } })
    const again = settleEntry({ ...one, id: newUuid(startsAtMs) }, nano(5), { windows: ofOne })
    expect(await settleGenerations(store.pool, [again, ...entries.slice(1)])).toEqual([
      { cost: 5n, absorbed: 0n },
      { cost: 60n, absorbed: 1n },
    ])
    expect(await store.sumsOf(ofOne)).toEqual({ key_day: { spent: 55, held: 0 } })
    expect(await store.sumsOf(ofTwo)).toEqual({ key_week: { spent: 60, held: 0 } })
  })

  it.each([1, 31])('[MONEY-10] of %i without any limit is bound by the wallet alone', async (cost) => {
    const empty = await store.payer(0)
    expect(await settle(empty, [{ id: newUuid(startsAtMs), cost }])).toEqual([`0 and ${cost}`])
    expect(await store.walletOf(empty)).toEqual({ balance: 0, held: 0, charged: 0 })
  })

  it('[MONEY-10] without any limit takes what the wallet has', async () => {
    const payer = await store.payer(30)
    expect(await settle(payer, [{ id: newUuid(startsAtMs), cost: 31 }])).toEqual(['30 and 1'])
    expect(await store.walletOf(payer)).toEqual({ balance: 0, held: 0, charged: 30 })
  })
})

describe('the record of a settle', () => {
  it('says nothing that was not said', async () => {
    const payer = await store.payer(30)
    const id = newUuid(startsAtMs)
    await store.pool.query(
      `SELECT settle_generations(ARRAY[$1]::uuid[], ARRAY[$2]::uuid[], $3, '{}', '{}', '{}', '{}')`,
      [id, payer.walletId, JSON.stringify([bareRecord(id, payer)])],
    )
    const { rows } = await store.pool.query(`${selectRecord} WHERE id = $1`, [id])
    expect(rows).toEqual([
      { at: true, flags: 'false false false false false', tokens: '0 0 0 0 0 0 0 0 0', nano: '0 0 0 0' },
    ])
    expect(await store.walletOf(payer)).toEqual({ balance: 30, held: 0, charged: 0 })
  })

  it('says all that was said', async () => {
    const payer = await store.payer(30)
    const [id = ''] = await heldIds(payer, [20])
    const flags = { streamed: true, cancelled: true, isByok: true, isFailover: true, usageDoubted: true }
    const sums = { usage: allUsage, held: nano(20), cacheDiscount: nano(6), absorbed: nano(2) }
    await settle(payer, [{ id, cost: 11, record: { ...flags, ...sums } }])
    const { rows } = await store.pool.query(`${selectRecord} WHERE id = $1`, [id])
    expect(rows).toEqual([
      { at: true, flags: 'true true true true true', tokens: '1 2 4 8 16 32 64 128 256', nano: '20 11 6 2' },
    ])
  })

  const selectRecord = `SELECT started_at = to_timestamp(${startsAtMs / 1_000}) AS at,
    concat_ws(' ', streamed::text, cancelled::text, is_byok::text, is_failover::text, usage_doubted::text) AS flags,
    concat_ws(' ', uncached_input, cache_read, cache_write_5m, cache_write_1h, audio_input, text_output, reasoning_output,
      image_output, audio_output) AS tokens,
    concat_ws(' ', held_nano, cost_nano, cache_discount_nano, absorbed_nano) AS nano FROM generations`
})

describe('the days of a settle', () => {
  it('[ACCT-12] add requests, tokens and cost up for the key', async () => {
    const payer = await store.payer(100)
    const batch = [3, 5].map((cost) => ({ id: newUuid(startsAtMs), cost, record: { usage: allUsage } }))
    await settle(payer, batch)
    await settle(payer, [{ id: newUuid(startsAtMs), cost: 7, record: { usage: allUsage } }])
    const { rows } = await store.pool.query(
      `SELECT day::text, spent_nano::int AS spent, requests::int, prompt_tokens::int AS prompt, completion_tokens::int AS completion,
         last_used_at > now() - interval '1 hour' AS "isRecent" FROM key_usage_days WHERE key_id = $1`,
      [payer.keyId],
    )
    expect(rows).toEqual([{ day: '2030-01-07', spent: 15, requests: 3, prompt: 93, completion: 1_440, isRecent: true }])
  })

  it('[BUDGET-01] [BUDGET-02] add them up for member, team and organization, and tokens for the session', async () => {
    const { id: organizationId, walletId } = await store.accounts.createOrganization({ usd: '0.000001' })
    const { teamId } = await store.accounts.addTeam(organizationId)
    const { memberId, userId } = await store.accounts.addMember(organizationId, { teamId })
    const { sessionId } = await store.accounts.addInstitutionSession(organizationId)
    const payer = { organizationId, walletId, keyId: newUuid(startsAtMs), userId }
    await settle({ ...payer, memberId, teamId, sessionId }, [
      { id: newUuid(startsAtMs), cost: 3, record: usedAfter(20) },
      { id: newUuid(startsAtMs), cost: 5, record: usedAfter(10) },
    ])
    await settle({ ...payer, memberId, sessionId }, [{ id: newUuid(startsAtMs), cost: 7, record: usedAfter(15) }])
    const { rows } = await store.pool.query(
      `SELECT kind, spent_nano::int AS spent, requests::int, tokens::int, extract(minute FROM last_at)::int AS last FROM spend_days
       WHERE owner_id = ANY ($1) AND day = '2030-01-07' ORDER BY kind`,
      [[organizationId, teamId, memberId]],
    )
    expect(rows).toEqual([
      { kind: 'member', spent: 15, requests: 3, tokens: 1_533, last: 20 },
      { kind: 'organization', spent: 15, requests: 3, tokens: 1_533, last: 20 },
      { kind: 'team', spent: 8, requests: 2, tokens: 1_022, last: 20 },
    ])
    const session = await store.pool.query(
      'SELECT tokens_used::int AS tokens FROM institution_sessions WHERE id = $1',
      [sessionId],
    )
    expect(session.rows).toEqual([{ tokens: 1_533 }])
  })
})

/** Every count is a different power of two, so that a sum shows its parts. */
const allUsage = {
  ...noUsage,
  uncachedInput: 1,
  cacheRead: 2,
  cacheWrite5m: 4,
  cacheWrite1h: 8,
  audioInput: 16,
  textOutput: 32,
  reasoningOutput: 64,
  imageOutput: 128,
  audioOutput: 256,
}

function usedAfter(minutes: number): Partial<GenerationRecord> {
  return { usage: allUsage, startedAtMs: startsAtMs + minutes * 60_000 }
}

/** The minimal record of a request. */
function bareRecord(id: string, { walletId, keyId }: StorePayer, fields: object = {}): object {
  return {
    id,
    wallet_id: walletId,
    key_id: keyId,
    endpoint: 'chat',
    model: 'acme/model',
    started_at: new Date(startsAtMs).toISOString(),
    duration_ms: 1,
    attempts: [],
    ...fields,
  }
}
