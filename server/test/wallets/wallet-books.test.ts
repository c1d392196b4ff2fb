import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { grantTransfers } from '#domain/ledger/transfer.ts'
import { formatUsd, nanoUsd, parseUsd } from '#domain/money/nano-usd.ts'
import { isJsonObject, type JsonObject } from '#lib/json.ts'
import { newUuid } from '#lib/uuid.ts'
import { chargeStatement } from '#store/postgres/ledger/wallet-totals.sql.ts'
import { holdStatement } from '#store/postgres/ledger/list-holds.sql.ts'
import { transferStatement } from '#store/postgres/ledger/list-transfers.sql.ts'
import { settleGenerations } from '#store/postgres/money/settle-generations.sql.ts'
import { creditWallet } from '#store/postgres/wallets/wallets.sql.ts'
import { type KeyWorld, startKeyWorld } from '#test/keys/key-world.ts'
import { settleEntry } from '#test/money/settles.ts'
import type { TestClient } from '#test/setup/accounts.ts'
import { rowsSeen } from '#test/setup/rows-seen.ts'
import { rollUpUsage } from '#test/usage/roll-up-usage.ts'

const listIn = (json: JsonObject): JsonObject[] => (Array.isArray(json.data) ? json.data.filter(isJsonObject) : [])
const eight = (status: number): number[] => Array.from({ length: 8 }, () => status)

describe('the books of a wallet', () => {
  let world: KeyWorld
  beforeAll(async () => {
    world = await startKeyWorld()
  })
  afterAll(() => world.close())

  async function person(usd = '25') {
    const caller = await world.createClient({ usd })
    return { ...caller, session: { cookie: await world.signIn(caller.userId) } }
  }
  const read = async (as: Parameters<KeyWorld['send']>[0], path: string) => {
    const { status, json, text } = await world.send(as, 'GET', path)
    expect(status, text).toBe(200)
    return { text, json, data: isJsonObject(json.data) ? json.data : {}, list: listIn(json) }
  }

  /** Charges at these moments, in one statement like a busy gateway. */
  async function charge(caller: TestClient, ...charges: readonly (readonly [moment: string, usd: string])[]) {
    const entries = charges.map(([moment, usd]) => {
      const startedAtMs = Date.parse(moment)
      return settleEntry({ ...caller, id: newUuid(startedAtMs) }, parseUsd(usd), { startedAtMs })
    })
    await settleGenerations(world.pool, entries)
  }
  async function credit({ walletId }: TestClient, moment: string, usd: string) {
    const transfers = grantTransfers(parseUsd(usd))
    await creditWallet(world.pool, { id: newUuid(Date.parse(moment)), walletId, transfers, note: 'a secret note' })
  }

  it('tell what there is, what is held, and where it came from', async () => {
    const caller = await person('25')
    await world.spend(caller)
    const paid = [
      { kind: 'top_up', debit: 'cash', credit: 'wallet', amount: parseUsd('10') },
      { kind: 'fee', debit: 'cash', credit: 'fees', amount: parseUsd('0.8') },
    ] as const
    const id = newUuid(Date.now())
    await creditWallet(world.pool, { id, walletId: caller.walletId, transfers: paid, note: null })
    for (const reference of [caller.walletId, caller.userId]) {
      expect((await read(caller.session, `/api/wallets/${reference}`)).data).toEqual({
        id: caller.walletId,
        owner: { kind: 'user', id: caller.userId },
        balance: 34.994,
        held: 0,
        in_customer_balances: 0,
        available: 34.994,
        credit_line: 0,
        paid: 10,
        granted: 25,
        redeemed: 0,
        expired: 0,
        corrected: 0,
        refunded: 0,
        disputed: 0,
        written_off: 0,
        has_notices: false,
        charged: 0.006,
        expiring: [],
      })
    }
    const { list } = await read(caller.session, `/api/wallets/${caller.walletId}/transactions`)
    expect(list.map(({ kind, amount, moved, balance_after }) => [kind, amount, moved, balance_after])).toEqual([
      ['fee', 0, 0.8, 34.994],
      ['top_up', 10, 10, 34.994],
      ['charge', -0.006, 0.006, 24.994],
      ['grant', 25, 25, 25],
    ])
    expect(list[2]).toMatchObject({ debit: 'wallet', credit: 'usage', generation_id: expect.stringMatching(/^gen-/) })
    const { json } = await world.send(caller, 'GET', `/v1/generation?id=${String(list[2]?.generation_id)}`)
    expect(json.data).toMatchObject({ total_cost: 0.006, created_at: list[2]?.at })
  })

  it('page through all transfers exactly once, and each page reads on where the last ended', async () => {
    const caller = await person('0')
    await credit(caller, '2026-01-01T00:00:00Z', '5')
    for (let minute = 10; minute < 17; minute += 1) await charge(caller, [`2026-01-02T00:${minute}:00Z`, '0.000000001'])
    const seen: unknown[] = []
    let cursor = ''
    do {
      const query = `limit=3${cursor === '' ? '' : `&before=${cursor}`}`
      const { list, json } = await read(caller.session, `/api/wallets/${caller.walletId}/transactions?${query}`)
      seen.push(...list.map(({ balance_after }) => balance_after))
      cursor = typeof json.next_cursor === 'string' ? json.next_cursor : ''
    } while (cursor !== '')
    expect(seen).toEqual([7, 6, 5, 4, 3, 2, 1, 0].map((nano) => 5 - nano / 1e9))
  })

  it('know the balance after each charge, also of those that were settled together', async () => {
    const caller = await person('0')
    const other = await person('1')
    await credit(caller, '2026-01-01T00:00:00Z', '1')
    const others = { ...settleEntry({ ...other, id: newUuid(Date.now()) }, parseUsd('0.5')) }
    const own = ['0.1', '0.2', '0', '0.3'].map((usd, index) => {
      const startedAtMs = Date.parse('2026-01-02T00:00:00Z') + index
      return settleEntry({ ...caller, id: newUuid(startedAtMs) }, parseUsd(usd), { startedAtMs })
    })
    await settleGenerations(world.pool, [...own, others])
    const { list } = await read(caller.session, `/api/wallets/${caller.walletId}/transactions?kind=charge`)
    expect(list.map(({ amount, balance_after }) => [amount, balance_after])).toEqual([
      [-0.3, 0.4],
      [-0.2, 0.7],
      [-0.1, 0.9],
    ])
    const theirs = await read(other.session, `/api/wallets/${other.walletId}/transactions?kind=charge`)
    expect(theirs.list).toMatchObject([{ amount: -0.5, balance_after: 0.5 }])
  })

  it('show the transfers of a kind and of a time, and no note of the operator', async () => {
    const caller = await person('0')
    await credit(caller, '2026-01-01T00:00:00Z', '5')
    await charge(caller, ['2026-01-02T00:00:00Z', '0.5'], ['2026-01-03T00:00:00Z', '0.25'])
    const path = `/api/wallets/${caller.walletId}/transactions`
    const amounts = async (query: string) =>
      (await read(caller.session, `${path}?${query}`)).list.map((row) => row.amount)
    expect(await amounts('kind=grant')).toEqual([5])
    expect(await amounts('kind=charge')).toEqual([-0.25, -0.5])
    expect(await amounts('kind=tax')).toEqual([])
    expect(await amounts('from=2026-01-02&to=2026-01-03')).toEqual([-0.5])
    expect((await read(caller.session, path)).text).not.toContain('secret note')
    for (const query of ['kind=gift', 'before=x', 'limit=101', 'from=yesterday']) {
      expect((await world.send(caller.session, 'GET', `${path}?${query}`)).status, query).toBe(400)
    }
  })

  it('list what is held for requests that are under way', async () => {
    const caller = await person()
    world.upstream.playNext({ kind: 'steps', steps: [{ do: 'gate', name: 'held' }, { do: 'close' }] })
    const answer = world.call(caller, { max_tokens: 500 })
    await world.upstream.waitForGate('held')
    const path = `/api/wallets/${caller.walletId}/holds`
    const { list } = await read(caller.session, path)
    const hold = { generation_id: expect.stringMatching(/^gen-/), api_key_id: caller.keyId, amount: 0.006015 }
    expect(list).toEqual([
      { ...hold, placed_at: expect.any(String), age_ms: expect.any(Number), lease_until: expect.any(String) },
    ])
    expect((await read(caller.session, `/api/wallets/${caller.walletId}`)).data).toMatchObject({
      balance: 25,
      held: 0.006015,
      available: 24.993985,
    })
    expect((await read(caller.session, `${path}?before=${String(list[0]?.generation_id)}`)).list).toEqual([])
    world.upstream.release('held')
    await answer
    await world.settled()
    expect((await read(caller.session, path)).list).toEqual([])
  })

  it('close every month to the nano-dollar, whether its requests are summed up or not', async () => {
    const caller = await person('0')
    await credit(caller, '2026-03-05T00:00:00Z', '3')
    await charge(caller, ['2026-03-31T23:59:59.999Z', '0.123456789'], ['2026-04-01T00:00:00Z', '0.000000001'])
    await rollUpUsage(world.pool)
    await credit(caller, '2026-04-30T23:59:59.999Z', '0.5')
    await charge(caller, ['2026-04-15T12:00:00Z', '0.1'], ['2026-05-01T00:00:00Z', '0.07'])
    const statement = async (month: string) => {
      const { data, text } = await read(caller.session, `/api/wallets/${caller.walletId}/statement?month=${month}`)
      const lines = Array.isArray(data.lines) ? data.lines.filter(isJsonObject) : []
      const sums = Object.fromEntries(lines.map(({ kind, amount }) => [kind, amount]))
      // Ids may contain such letters.
      expect(text.replaceAll(/"[^"]*"/g, '')).not.toMatch(/\de-/)
      return { opening: data.opening_balance, closing: data.closing_balance, charge: sums.charge, grant: sums.grant }
    }
    const expected = {
      '2026-02': { opening: 0, charge: 0, grant: 0, closing: 0 },
      '2026-03': { opening: 0, charge: -0.123456789, grant: 3, closing: 2.876543211 },
      '2026-04': { opening: 2.876543211, charge: -0.100000001, grant: 0.5, closing: 3.27654321 },
      '2026-05': { opening: 3.27654321, charge: -0.07, grant: 0, closing: 3.20654321 },
      '2030-01': { opening: 3.20654321, charge: 0, grant: 0, closing: 3.20654321 },
    }
    for (const [month, said] of Object.entries(expected)) expect(await statement(month), month).toEqual(said)
    await rollUpUsage(world.pool)
    for (const [month, said] of Object.entries(expected)) {
      expect(await statement(month), month).toEqual(said)
      expect(await ledgerOf(caller.walletId, month), month).toEqual([said.charge, said.grant])
    }
    for (const month of ['2026-13', '2026', '1999-01']) {
      const { status } = await world.send(
        caller.session,
        'GET',
        `/api/wallets/${caller.walletId}/statement?month=${month}`,
      )
      expect(status, month).toBe(400)
    }
    await world.expectSoundBooks()
  })

  /** The ledger's own sums of a month. */
  async function ledgerOf(walletId: string, month: string): Promise<number[]> {
    const text = `SELECT coalesce(-sum(amount_nano) FILTER (WHERE kind = 'charge'), 0) AS charge,
        coalesce(sum(amount_nano) FILTER (WHERE kind = 'grant'), 0) AS grant
      FROM ledger_transfers WHERE wallet_id = $1 AND id >= first_id_at(($2 || '-01')::date)
        AND id < first_id_at((($2 || '-01')::date + interval '1 month'))`
    const { rows } = await world.pool.query<{ charge: string; grant: string }>(text, [walletId, month])
    return [rows[0]?.charge ?? '', rows[0]?.grant ?? ''].map((nano) => Number(formatUsd(nanoUsd(BigInt(nano)))))
  }

  it('of an organization are open to those who watch its bill', async () => {
    const { id: organizationId, walletId } = await world.createOrganization({ usd: '7' })
    const statuses: Record<string, number[]> = {}
    for (const role of ['org_admin', 'billing_viewer', 'member'] as const) {
      const member = await world.addMember(organizationId, { role })
      const session = { cookie: await world.signIn(member.userId) }
      const paths = [walletId, organizationId].flatMap((id) =>
        ['', '/transactions', '/holds', '/statement'].map((tail) => `/api/wallets/${id}${tail}`),
      )
      statuses[role] = await Promise.all(paths.map(async (path) => (await world.send(session, 'GET', path)).status))
    }
    expect(statuses).toEqual({ org_admin: eight(200), billing_viewer: eight(200), member: eight(403) })
    const admin = await world.addMember(organizationId, { role: 'org_admin' })
    const manager = await world.addOrganizationKey(organizationId, {
      memberId: admin.memberId,
      terms: { type: 'management' },
    })
    expect((await read(manager, `/api/wallets/${organizationId}`)).data).toMatchObject({ id: walletId, balance: 7 })
    const stranger = await person()
    expect((await world.send(stranger.session, 'GET', `/api/wallets/${walletId}`)).status).toBe(404)
    expect((await world.send(manager, 'GET', `/api/wallets/${stranger.walletId}`)).status).toBe(404)
    expect((await world.send(stranger, 'GET', `/api/wallets/${stranger.walletId}`)).status).toBe(403)
  })

  it('are read no further than they are shown', async () => {
    const caller = await person()
    const { walletId, keyId } = caller
    await world.pool.query(
      `INSERT INTO ledger_transfers (id, leg, wallet_id, kind, debit, credit, amount_nano)
        SELECT first_id_at('2026-06-01'::timestamptz + n * interval '1 minute'), 0, $1, 'charge', 'wallet', 'usage', 1
        FROM generate_series(1, 20000) AS n`,
      [walletId],
    )
    await world.pool.query(
      `INSERT INTO ledger_transfers (id, leg, wallet_id, kind, debit, credit, amount_nano, end_customer_id)
        SELECT first_id_at('2026-06-01'::timestamptz + n * interval '1 minute'), 1, $1,
          CASE WHEN n % 100 = 0 THEN 'grant' ELSE 'customer_transfer' END, 'wallet', 'customers', 1, gen_random_uuid()
        FROM generate_series(1, 20000) AS n`,
      [walletId],
    )
    await world.pool.query(
      `INSERT INTO holds (id, wallet_id, key_id, amount_nano, estimate_nano, lease_until)
        SELECT gen_random_uuid(), CASE WHEN n % 100 = 0 THEN $1::uuid ELSE gen_random_uuid() END, $2, 1, 1, now() + interval '1 hour'
        FROM generate_series(1, 10000) AS n`,
      [walletId, keyId],
    )
    await world.pool.query('ANALYZE ledger_transfers; ANALYZE holds')
    const page = { walletId, kind: null, fromMs: null, toMs: null, after: null, limit: 21 }
    const after = { id: newUuid(Date.parse('2026-06-05')), leg: 0 }
    expect(await rowsSeen(world.pool, transferStatement(page))).toBeLessThan(100)
    expect(await rowsSeen(world.pool, transferStatement({ ...page, after }))).toBeLessThan(100)
    expect(await rowsSeen(world.pool, transferStatement({ ...page, kind: 'charge' }))).toBeLessThan(100)
    for (const kind of ['grant', 'customer_transfer', 'top_up'] as const)
      expect(await rowsSeen(world.pool, transferStatement({ ...page, kind })), kind).toBeLessThan(100)
    expect(await rowsSeen(world.pool, holdStatement({ walletId, before: null, limit: 21 }))).toBeLessThan(100)
    const range = { startMs: Date.parse('2026-06-01'), endMs: Date.parse('2026-07-01') }
    const { rows } = await world.pool.query<{ rolled_up_below: string }>('SELECT rolled_up_below FROM rollup_state')
    const sums = chargeStatement({ walletId, range, rolledUpBelow: rows[0]?.rolled_up_below ?? '' })
    expect(await rowsSeen(world.pool, sums)).toBeLessThan(200)
  })
})
