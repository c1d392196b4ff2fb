import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { nanoUsd } from '#domain/money/nano-usd.ts'
import { newUuid } from '#lib/uuid.ts'
import type { SettleEntry } from '#ports/money.ts'
import { auditLedger } from '#store/postgres/reconciliation/audit-ledger.ts'
import { isDataFault } from '#store/postgres/faults.ts'
import { settleGenerations } from '#store/postgres/money/settle-generations.sql.ts'
import { createSettleSpool, type SettleSpool } from '#store/spool/settle-spool.ts'
import { settleEntry } from '#test/money/settles.ts'
import { createRetentionWorld, keepDays, momentOf, oldestDaysAgo, type RetentionWorld } from './retention-world.ts'

describe('a spool that is older than what is kept', () => {
  let world: RetentionWorld
  let folder: string
  let spool: SettleSpool
  beforeEach(async () => {
    world = await createRetentionWorld()
    folder = await mkdtemp(join(tmpdir(), 'weir-spool-'))
    const { pool } = world.database
    const settle = (entries: SettleEntry[]) => settleGenerations(pool, entries)
    spool = createSettleSpool({ folder, settle, isFinal: isDataFault, onRejected: () => {} })
  })
  afterEach(async () => {
    await world.database.drop()
    await rm(folder, { recursive: true, force: true })
  })

  const startedAtMs = momentOf(oldestDaysAgo)
  function newEntry(): SettleEntry {
    const { walletId } = world
    const payer = { id: newUuid(startedAtMs), walletId, keyId: walletId, userId: null }
    return settleEntry(payer, nanoUsd(7n), { startedAtMs })
  }

  async function dropOld(): Promise<void> {
    await world.rollUpAll()
    while ((await world.retention.dropDay(keepDays)).kind === 'dropped');
  }

  const charged = async (): Promise<string | undefined> => {
    const text = 'SELECT charged_nano FROM wallets WHERE id = $1'
    const { rows } = await world.database.pool.query<{ charged_nano: string }>(text, [world.walletId])
    return rows[0]?.charged_nano
  }

  it('[P12] charges nothing twice, is set aside once, and stops no other settle', async () => {
    const { pool } = world.database
    const [settled, unsettled] = [newEntry(), newEntry()]
    await settleGenerations(pool, [settled])
    await dropOld()
    for (const entry of [settled, unsettled]) await spool.append(entry)

    expect(await spool.replay()).toBe(2)
    expect(await spool.replay()).toBe(0)
    expect(await readdir(folder)).toEqual(['rejected.ndjson'])
    const rejected = await readFile(join(folder, 'rejected.ndjson'), 'utf8')
    expect(rejected).toContain(settled.record.id)
    expect(rejected).not.toContain(unsettled.record.id)
    expect(await charged()).toBe('14')
    await world.rollUpAll()
    expect(await auditLedger(pool, { overdueMs: 60_000 })).toEqual([])
  })
})
