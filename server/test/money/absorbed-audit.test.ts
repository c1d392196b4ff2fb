import { afterAll, beforeAll, expect, it } from 'vitest'
import { nanoUsd, parseUsd } from '#domain/money/nano-usd.ts'
import { newUuid } from '#lib/uuid.ts'
import { auditLedger } from '#store/postgres/reconciliation/audit-ledger.ts'
import { createPostgresReconciliation } from '#store/postgres/reconciliation/postgres-reconciliation.ts'
import { settleGenerations } from '#store/postgres/money/settle-generations.sql.ts'
import { type MoneyWorld, startMoneyWorld } from './money-world.ts'
import { settleEntry } from './settles.ts'

let world: MoneyWorld
beforeAll(async () => {
  world = await startMoneyWorld()
})
afterAll(() => world.close())

// Today at noon, so that both requests are on one day.
const noonMs = Math.floor(Date.now() / 86_400_000) * 86_400_000 + 43_200_000
const unbilled = { allowance: parseUsd('0.50'), percent: 5 }
const dayMs = 86_400_000
const isAbsorbed = ({ what }: { what: string }): boolean =>
  what.startsWith('requests that begin after their wallet reached its daily limit')
const reconciled = async (nowMs: number) => {
  const found = await createPostgresReconciliation(world.pool, { nowMs: () => nowMs, unbilled }).reconcile()
  return found?.discrepancies.filter(isAbsorbed).map(({ subject }) => subject)
}
const audit = () => auditLedger(world.pool, { overdueMs: 60_000, unbilled })

it.each([
  ['within the bound', '0.5', 120, 0],
  ['under way when it was used up', '0.500000001', 30, 0],
  ['begun after it was used up', '0.500000001', 90, 1],
])('C4: the audit judges a request that was absorbed: %s', async (_name, firstUsd, secondsLater, findings) => {
  const caller = await world.createClient({ usd: '10' })
  const ids = [newUuid(Date.now()), newUuid(Date.now())]
  for (const [index, id] of ids.entries()) {
    const entry = settleEntry({ ...caller, id }, nanoUsd(1_000n), { startedAtMs: noonMs })
    const absorbed = index === 0 ? parseUsd(firstUsd) : nanoUsd(7n)
    await settleGenerations(world.pool, [{ ...entry, record: { ...entry.record, absorbed } }])
  }
  // Only the rows' times change, so nothing waits.
  await world.pool.query(
    `UPDATE generations SET settled_at = started_at + CASE WHEN id = $2 THEN interval '0' ELSE $3 * interval '1 second' END,
       started_at = started_at + CASE WHEN id = $2 THEN interval '0' ELSE $3 * interval '1 second' END WHERE id = ANY ($1)`,
    [ids, ids[0], secondsLater],
  )
  const found = (await audit()).filter(isAbsorbed)
  expect(found).toHaveLength(findings)
  if (findings > 0) expect(found[0]).toMatchObject({ walletId: caller.walletId, subject: ids[1], found: '7' })
  // The workers' hourly reconciliation finds the same until a day after the end of that day.
  expect(await reconciled(noonMs)).toEqual(found.map(({ subject }) => subject))
  expect(await reconciled(noonMs + dayMs)).toEqual(found.map(({ subject }) => subject))
  expect(await reconciled(noonMs + 2 * dayMs)).toEqual([])
})
