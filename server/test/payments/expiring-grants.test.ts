import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseUsd } from '#domain/money/nano-usd.ts'
import type { JsonObject } from '#lib/json.ts'
import { newUuid } from '#lib/uuid.ts'
import { auditLedger } from '#store/postgres/reconciliation/audit-ledger.ts'
import { createGrants } from '#store/postgres/wallets/postgres-grants.ts'
import { settleGenerations } from '#store/postgres/money/settle-generations.sql.ts'
import { type KeyWorld, startKeyWorld } from '#test/keys/key-world.ts'
import { settleEntry } from '#test/money/settles.ts'
import type { TestClient } from '#test/setup/accounts.ts'
import { hello } from '#test/setup/call-chat.ts'
import type { Client } from '#test/setup/client.ts'

const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString()

const chatBody = (cap: number) => ({ model: 'openai/gpt-5.2', messages: hello, max_tokens: cap })

describe('grants that expire', () => {
  let world: KeyWorld
  let operator: Client
  beforeAll(async () => {
    world = await startKeyWorld()
    operator = world.as(await world.addOperatorKey())
  })
  afterAll(() => world.close())

  const grant = async (walletId: string, amountUsd: number, expiresAt: string): Promise<string> => {
    const body = { amountUsd, source: 'grant', expiresAt }
    const { status, json, text } = await operator.post(`/api/admin/wallets/${walletId}/credit`, body)
    expect(status, text).toBe(200)
    return String(json.transactionId)
  }
  const charge = (caller: TestClient, usd: string) =>
    settleGenerations(world.pool, [settleEntry({ ...caller, id: newUuid(Date.now()) }, parseUsd(usd))])
  /** Moves the grant's expiry to now, by the clock of Postgres. */
  const end = async (grantId: string): Promise<void> => {
    const text = `UPDATE wallet_grants SET expires_at = least(expires_at, now()), look_at = now() WHERE id = $1`
    await world.pool.query(text, [grantId])
  }
  const expire = () => createGrants(world.pool).expire(100, Date.now())
  const person = async (usd: string) => {
    const caller = await world.createClient({ usd })
    const session = world.as({ cookie: await world.signIn(caller.userId) })
    const read = async (): Promise<JsonObject> => (await session.get(`/api/wallets/${caller.walletId}`)).data
    return { ...caller, session, read }
  }
  const soundBooks = async () => expect(await auditLedger(world.pool, { overdueMs: 60_000 })).toEqual([])

  it('give back what is unused at their end, and the books say so in every place', async () => {
    const caller = await person('0')
    const expiresAt = inDays(30)
    const id = await grant(caller.walletId, 10, expiresAt)
    await charge(caller, '3.000000001')
    expect(await caller.read()).toMatchObject({
      balance: 6.999999999,
      granted: 10,
      expired: 0,
      expiring: [{ id, granted: 10, left: 6.999999999, expires_at: expiresAt }],
    })
    expect(await expire()).toEqual({ wallets: 0, returned: 0n })
    await end(id)
    expect(await expire()).toEqual({ wallets: 1, returned: parseUsd('6.999999999') })
    expect(await expire()).toEqual({ wallets: 0, returned: 0n })
    expect(await caller.read()).toMatchObject({ balance: 0, granted: 10, expired: -6.999999999, expiring: [] })
    const { list } = await caller.session.get(`/api/wallets/${caller.walletId}/transactions?kind=grant_expired`)
    expect(list).toMatchObject([{ amount: -6.999999999, debit: 'wallet', credit: 'grants', balance_after: 0 }])
    const { data } = await caller.session.get(`/api/wallets/${caller.walletId}/statement`)
    expect(data.lines).toContainEqual({ kind: 'grant_expired', amount: -6.999999999, moved: 6.999999999 })
    const { rows } = await world.pool.query(
      `SELECT actor_kind, details FROM audit_entries WHERE action = 'wallet.grant_expired' AND target_id = $1`,
      [caller.walletId],
    )
    expect(rows).toEqual([
      { actor_kind: 'system', details: { transactionId: list[0]?.id, grantId: id, amount: 6.999999999 } },
    ])
    await soundBooks()
  })

  it('are used in the order of their ends, before credit that does not expire', async () => {
    const caller = await person('100')
    const later = await grant(caller.walletId, 10, inDays(60))
    await charge(caller, '2')
    const sooner = await grant(caller.walletId, 10, inDays(30))
    await charge(caller, '5')
    expect(await caller.read()).toMatchObject({
      balance: 113,
      expiring: [
        { id: sooner, left: 5 },
        { id: later, left: 8 },
      ],
    })
    await end(sooner)
    await expire()
    await charge(caller, '3')
    expect(await caller.read()).toMatchObject({ balance: 105, expired: -5, expiring: [{ id: later, left: 5 }] })
    await end(later)
    await expire()
    expect(await caller.read()).toMatchObject({ balance: 100, expired: -10, expiring: [] })
    await soundBooks()
  })

  it('leave a request that is under way what it holds, and take the rest back once it has ended', async () => {
    const caller = await person('0')
    const id = await grant(caller.walletId, 1, inDays(1))
    world.upstream.playNext({ kind: 'steps', steps: [{ do: 'gate', name: 'grant' }, { do: 'close' }] })
    // The upstream breaks off, is called again and responds, which costs 0.006.
    const answer = world.call(caller, { max_tokens: 500 })
    await world.upstream.waitForGate('grant')
    await end(id)
    expect(await expire()).toEqual({ wallets: 1, returned: parseUsd('0.993985') })
    expect(await caller.read()).toMatchObject({ balance: 0.006015, held: 0.006015, available: 0 })
    expect((await world.call(caller, { max_tokens: 500 })).status).toBe(402)
    world.upstream.release('grant')
    await answer
    await world.settled()
    await end(id)
    expect(await expire()).toEqual({ wallets: 1, returned: parseUsd('0.000015') })
    expect(await caller.read()).toMatchObject({ balance: 0, expired: -0.994, charged: 0.006 })
    await soundBooks()
  })

  it('C9: keep what a request held of them from the next one, until it has gone back', async () => {
    const caller = await person('0')
    const id = await grant(caller.walletId, 1, inDays(1))
    world.upstream.playNext({ kind: 'steps', steps: [{ do: 'gate', name: 'held' }, { do: 'close' }] })
    const leaving = new AbortController()
    const left = world.as(caller).post('/v1/chat/completions', chatBody(50_000), { signal: leaving.signal })
    await world.upstream.waitForGate('held')
    await end(id)
    expect(await expire()).toEqual({ wallets: 1, returned: parseUsd('0.399985') })
    leaving.abort()
    await expect(left).rejects.toThrow()
    await world.settled()
    expect(await caller.read()).toMatchObject({ balance: 0.600015, held: 0 })
    expect((await world.call(caller, { max_tokens: 500 })).status).toBe(402)
    await end(id)
    expect(await expire()).toEqual({ wallets: 1, returned: parseUsd('0.600015') })
    await operator.post(`/api/admin/wallets/${caller.walletId}/credit`, { amountUsd: 1, source: 'usd' })
    expect((await world.call(caller, { max_tokens: 500 })).status).toBe(200)
    await soundBooks()
  })

  it('C9: leave no room in holds and extensions of any kind, and none of it for the room they are told', async () => {
    const wallet = async () => {
      const { walletId, keyId } = await person('0.0000001')
      await world.pool.query('UPDATE wallets SET expired_nano = 60 WHERE id = $1', [walletId])
      return { walletId, keyId }
    }
    const one = async (amount: number) => {
      const { walletId, keyId } = await wallet()
      const id = newUuid(Date.now())
      const text =
        'SELECT granted_nano AS granted, room_nano AS room FROM place_hold($1, $2, $3, $4, $4, NULL, NULL, 1000)'
      return { id, row: (await world.pool.query(text, [id, walletId, keyId, amount])).rows[0] }
    }
    const batch = async (amount: number) => {
      const { walletId, keyId } = await wallet()
      const text = `SELECT granted_nano AS granted, room_nano AS room, refused_by FROM place_holds(ARRAY[$1]::uuid[], ARRAY[$2]::uuid[], ARRAY[$3]::uuid[],
        ARRAY[$4]::bigint[], 1000, false, '{}', '{}', '{}', '{}', '{}', ARRAY[$4]::bigint[], ARRAY[$4 + 90]::bigint[])`
      return (await world.pool.query(text, [newUuid(Date.now()), walletId, keyId, amount])).rows[0]
    }
    expect((await one(41)).row).toEqual({ granted: null, room: '40' })
    expect(await batch(41)).toMatchObject({ granted: null, room: '40', refused_by: 'wallet' })
    expect(await batch(10)).toMatchObject({ granted: '10', room: '30' })
    const { id, row } = await one(30)
    expect(row).toMatchObject({ granted: '30' })
    const extend = `SELECT total_nano AS total, refused_by FROM extend_hold($1, 50, '{}', '{}', '{}', '{}', 1000)`
    expect((await world.pool.query(extend, [id])).rows).toEqual([{ total: '40', refused_by: 'wallet' }])
    await world.pool.query('UPDATE wallets SET held_nano = 0, expired_nano = 0 WHERE expired_nano = 60')
    await world.pool.query('DELETE FROM holds')
  })

  it('are ended once by many workers at the same moment, while charges come in', async () => {
    const callers = await Promise.all(Array.from({ length: 6 }, () => person('5')))
    const ids = await Promise.all(callers.map(({ walletId }) => grant(walletId, 10, inDays(1))))
    await Promise.all(callers.map((caller) => charge(caller, '4')))
    await Promise.all(ids.map(end))
    await Promise.all([
      ...Array.from({ length: 8 }, expire),
      ...callers.flatMap((caller) => Array.from({ length: 5 }, () => charge(caller, '0.1'))),
    ])
    const { rows } = await world.pool.query<{ expired: string; rest: string }>(
      `SELECT t.amount_nano AS expired, w.balance_nano + t.amount_nano AS rest
       FROM ledger_transfers t JOIN wallets w ON w.id = t.wallet_id WHERE t.kind = 'grant_expired' AND t.wallet_id = ANY ($1)`,
      [callers.map(({ walletId }) => walletId)],
    )
    expect(rows.map(({ rest }) => rest)).toEqual(Array.from({ length: 6 }, () => String(parseUsd('10.5'))))
    for (const { expired } of rows) {
      // Charges before the booked expiry use the grant, later ones do not.
      expect(BigInt(expired)).toBeGreaterThanOrEqual(parseUsd('5.5'))
      expect(BigInt(expired)).toBeLessThanOrEqual(parseUsd('6'))
    }
    await soundBooks()
  })

  it('P14 come from codes as well, whose campaign says when the credit ends', async () => {
    const expiresAt = inDays(10)
    const body = {
      name: 'ending',
      amountUsd: 4,
      codes: 2,
      perPersonMax: null,
      perWalletMax: null,
      creditExpiresAt: expiresAt,
    }
    const made = await operator.post('/api/admin/redemption-campaigns', body)
    const [first, second] = made.text
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(',')[0])
    const caller = await person('0')
    const redeem = (code: string | undefined) =>
      caller.session.post(`/api/wallets/${caller.walletId}/redemptions`, { code })
    const { status, data } = await redeem(first)
    expect(status).toBe(201)
    expect(data).toMatchObject({ amount: 4, expires_at: expiresAt })
    expect(await caller.read()).toMatchObject({
      redeemed: 4,
      expiring: [{ id: data.id, left: 4, expires_at: expiresAt }],
    })
    await end(String(data.id))
    await expire()
    expect(await caller.read()).toMatchObject({ balance: 0, redeemed: 4, expired: -4 })
    await world.pool.query(`UPDATE redemption_campaigns SET credit_expires_at = now() WHERE name = 'ending'`)
    expect((await redeem(second)).status).toBe(400)
    await soundBooks()
  })

  it.each([
    [{ amountUsd: 1, source: 'usd', expiresAt: '2999-01-01' }, 'Only a grant can expire.'],
    [{ amountUsd: 1, source: 'grant', expiresAt: '2020-01-01' }, 'The expiry of a grant must be in the future.'],
    [{ amountUsd: 1, source: 'grant', expiresAt: 'soon' }, 'expiresAt must be an ISO 8601 timestamp'],
  ])('are not made of %j', async (body, message) => {
    const caller = await person('0')
    const refused = await operator.post(`/api/admin/wallets/${caller.walletId}/credit`, body)
    expect(refused.status).toBe(400)
    expect(refused.message).toContain(message)
    expect(await caller.read()).toMatchObject({ balance: 0 })
  })

  it('are audited: a grant that was never credited, one that went back twice, one that was forgotten', async () => {
    const caller = await person('0')
    const id = await grant(caller.walletId, 10, inDays(1))
    const findingsWith = async (columns: string) => {
      await world.pool.query(`UPDATE wallet_grants SET ${columns} WHERE id = $1`, [id])
      return (await auditLedger(world.pool, { overdueMs: 60_000 })).map(({ what }) => what)
    }
    expect(await findingsWith('amount_nano = 7')).toEqual(['an expiring grant must have been credited'])
    expect(await findingsWith('amount_nano = 10000000000, returned_nano = 1')).toEqual([
      'expired grant credit must equal the sum of its rows',
    ])
    expect(await findingsWith(`returned_nano = 0, look_at = now() - interval '2 days'`)).toEqual([
      'an expired grant must be processed within a day',
    ])
    expect(await findingsWith('look_at = expires_at')).toEqual([])
  })
})
