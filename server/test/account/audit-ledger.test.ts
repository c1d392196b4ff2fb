import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Principal } from '#domain/access/principal.ts'
import { parseUsd } from '#domain/money/nano-usd.ts'
import { newUuid } from '#lib/uuid.ts'
import { auditLedger } from '#store/postgres/reconciliation/audit-ledger.ts'
import { type AccountWorld, createAccountWorld } from './account-world.ts'

describe('the audit of the ledger', () => {
  let world: AccountWorld
  let caller: Principal
  let openHold: string
  let charged: string

  beforeAll(async () => {
    world = await createAccountWorld()
    caller = await world.newCaller('10', { limit: parseUsd('8'), period: 'day' })
    const nowMs = Date.now()
    const settledHold = await world.hold(caller, '2', nowMs)
    charged = (await world.settle(caller, { id: settledHold, cost: parseUsd('1'), held: parseUsd('2') })).id
    await world.settle(caller, { refundReason: 'no_usage' })
    openHold = await world.hold(caller, '3', nowMs)
  })
  afterAll(() => world.close())

  /** Returns the audit findings after a change, and reverts the change. */
  async function findingsAfter(statement: string, values: unknown[]) {
    const { pool } = world
    const before = await snapshot()
    await pool.query(statement, values)
    const findings = await auditLedger(pool, { overdueMs: 0 })
    await restore(before)
    return findings.map(({ walletId, what, expected, found }) => {
      expect(walletId).toBe(caller.walletId)
      return `${what}: ${expected}, ${found}`
    })
  }

  const tables = ['wallets', 'holds', 'spend_windows', 'key_usage_days', 'generations', 'ledger_transfers'] as const

  async function snapshot() {
    const rows: Record<string, string> = {}
    for (const table of tables) {
      const result = await world.pool.query<{ rows: string }>(`SELECT json_agg(t)::text AS rows FROM ${table} t`)
      rows[table] = result.rows[0]?.rows ?? '[]'
    }
    return rows
  }

  async function restore(before: Record<string, string>) {
    for (const table of tables) {
      await world.pool.query(`DELETE FROM ${table}`)
      await world.pool.query(`INSERT INTO ${table} SELECT * FROM json_populate_recordset(NULL::${table}, $1)`, [
        before[table],
      ])
    }
  }

  it('[P2] finds nothing in books that the gateway kept', async () => {
    expect(await auditLedger(world.pool, { overdueMs: 0 })).toEqual([])
  })

  it('finds a balance, a total or a held sum that is not the sum of its rows', async () => {
    expect(
      await findingsAfter('UPDATE wallets SET balance_nano = balance_nano + 1 WHERE id = $1', [caller.walletId]),
    ).toEqual(['balance must equal the sum of its postings: 9000000000, 9000000001'])
    expect(await findingsAfter('UPDATE wallets SET charged_nano = 0 WHERE id = $1', [caller.walletId])).toEqual([
      'charged must equal the sum of its charges: 1000000000, 0',
    ])
    expect(await findingsAfter('UPDATE wallets SET credited_nano = 0 WHERE id = $1', [caller.walletId])).toEqual([
      'credited must equal the sum of its credits: 10000000000, 0',
    ])
    expect(await findingsAfter('UPDATE wallets SET held_nano = 0 WHERE id = $1', [caller.walletId])).toEqual([
      "held must equal its open holds and customers' balances: 3000000000, 0",
    ])
  })

  it('finds a hold that counts in no window, or in another sum', async () => {
    expect(await findingsAfter('UPDATE spend_windows SET held_nano = 0 WHERE owner_id = $1', [caller.keyId])).toEqual([
      'a limit window must equal the sum of its holds: 3000000000, 0',
    ])
    expect(await findingsAfter('DELETE FROM spend_windows WHERE owner_id = $1', [caller.keyId])).toEqual([
      'a limit window must equal the sum of its holds: 3000000000, no window',
    ])
    // A leaked hold keeps the held amount of the wallet and the window too high.
    expect(await findingsAfter('DELETE FROM holds WHERE id = $1', [openHold])).toEqual([
      "held must equal its open holds and customers' balances: 0, 3000000000",
      'a limit window must equal the sum of its holds: 0, 3000000000',
    ])
  })

  it('finds a day of a key that is not the sum of its generations', async () => {
    expect(await findingsAfter('DELETE FROM key_usage_days WHERE key_id = $1', [caller.keyId])).toEqual([
      'daily spend of a key must equal its generation costs: 1000000000, no day',
    ])
  })

  it('[P4] finds a generation without its charge, and a charge of another amount', async () => {
    expect(
      await findingsAfter('UPDATE ledger_transfers SET amount_nano = amount_nano + 1 WHERE id = $1', [charged]),
    ).toEqual(expect.arrayContaining(['a charge must equal the cost of its generation: 1000000000, 1000000001']))
    expect(await findingsAfter('DELETE FROM ledger_transfers WHERE id = $1', [charged])).toEqual(
      expect.arrayContaining(['a charge must equal the cost of its generation: 1000000000, no charge']),
    )
    expect(await findingsAfter('DELETE FROM generations WHERE id = $1', [charged])).toEqual(
      expect.arrayContaining(['a charge must equal the cost of its generation: no generation, 1000000000']),
    )
  })

  it('[P3] finds a hold past its lease, and one that outlived its settle', async () => {
    const [overdue] = await findingsAfter(`UPDATE holds SET lease_until = now() - interval '1 hour' WHERE id = $1`, [
      openHold,
    ])
    expect(overdue).toMatch(/^a hold must end with its lease: <= 0 ms, \d+ ms$/)
    expect(await findingsAfter('UPDATE holds SET id = $2 WHERE id = $1', [openHold, charged])).toEqual([
      'a settled request must have no hold: 0, 3000000000',
    ])
  })

  it('[P1] finds a wallet that promised more than it has, but allows recorded debt', async () => {
    const broke = await world.newCaller('1')
    // No charge exceeds the available credit, so a withdrawn credit line must explain it.
    const lend = async (nano: number): Promise<void> => {
      const text = 'UPDATE wallets SET credit_line_nano = $2 WHERE id = $1'
      await world.pool.query(text, [broke.walletId, nano])
    }
    await lend(9_000_000_000)
    await world.settle(broke, { cost: parseUsd('4'), held: parseUsd('1') })
    await lend(0)
    expect(await auditLedger(world.pool, { overdueMs: 0 })).toEqual([])
    await lend(9_000_000_000)
    await world.settle(broke, { cost: parseUsd('2'), held: parseUsd('2') })
    await lend(0)
    expect(await auditLedger(world.pool, { overdueMs: 0 })).toMatchObject([
      {
        walletId: broke.walletId,
        what: 'balance must cover holds, except for recorded debt',
        table: 'wallets',
        subject: null,
        expected: '>= -3000000000',
        found: '-5000000000',
      },
    ])
  })

  it('finds transfers of a wallet that does not exist', async () => {
    const ghost = newUuid(Date.now())
    await world.pool.query(
      `INSERT INTO ledger_transfers (id, leg, wallet_id, kind, debit, credit, amount_nano) VALUES ($1, 0, $1, 'grant', 'grants', 'wallet', 5)`,
      [ghost],
    )
    const findings = await auditLedger(world.pool, { overdueMs: 0 })
    expect(findings.filter(({ walletId }) => walletId === ghost)).toMatchObject([{ what: 'wallet exists' }])
  })
})
