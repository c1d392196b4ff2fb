import type { GenerationRecord } from '#domain/ledger/generation-record.ts'
import { zeroUsd } from '#domain/money/nano-usd.ts'
import { newUuid, type Uuid } from '#lib/uuid.ts'
import type { UsageReads } from '#ports/usage.ts'
import { settleGenerations } from '#store/postgres/money/settle-generations.sql.ts'
import { createPostgresUsage } from '#store/postgres/usage/postgres-usage.ts'
import { settleEntry } from '#test/money/settles.ts'
import { createTestDatabase, type TestDatabase } from '#test/setup/database.ts'
import { rollUpUsage } from './roll-up-usage.ts'

/** Settled requests on their own database, the rollup, and its sums. */
export interface UsageWorld {
  readonly database: TestDatabase
  readonly usage: UsageReads
  /** A wallet with credit and without an owner. */
  newWallet(): Promise<Uuid>
  settle(records: readonly SettledRequest[]): Promise<void>
  /** Rolls up everything. Returns the number of requests. */
  rollUpAll(batchMax?: number): Promise<number>
}

export type SettledRequest = Partial<GenerationRecord> & Pick<GenerationRecord, 'walletId' | 'keyId' | 'startedAtMs'>

/** Uses a new database by default. */
export async function createUsageWorld(given?: TestDatabase): Promise<UsageWorld> {
  const database = given ?? (await createTestDatabase())
  const { pool } = database
  return {
    database,
    usage: createPostgresUsage(pool),
    async newWallet() {
      const id = newUuid(Date.now())
      await pool.query(
        `INSERT INTO wallets (id, owner_kind, owner_id, balance_nano, credited_nano, credit_line_nano)
         VALUES ($1, 'user', $1, 0, 0, 8000000000000000000)`,
        [id],
      )
      return id
    },
    async settle(records) {
      const entries = records.map(({ walletId, keyId, startedAtMs, ...others }) => {
        const { record } = settleEntry(
          { id: newUuid(startedAtMs), walletId, keyId, userId: null },
          others.cost ?? zeroUsd,
          { startedAtMs },
        )
        return { record: { ...record, ...others }, windows: [] }
      })
      await settleGenerations(pool, entries)
    },
    rollUpAll: (batchMax) => rollUpUsage(pool, batchMax),
  }
}
