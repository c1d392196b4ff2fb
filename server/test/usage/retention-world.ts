import { nanoUsd } from '#domain/money/nano-usd.ts'
import { dateOf, startOf } from '#lib/utc-calendar.ts'
import { newUuid, type Uuid } from '#lib/uuid.ts'
import type { Retention } from '#ports/usage.ts'
import { createPostgresRetention } from '#store/postgres/usage/postgres-retention.ts'
import { dayMs } from '#test/setup/day.ts'
import { createUsageWorld, type UsageWorld } from './usage-world.ts'

/** Requests of many days, each in its partition, and the wallet that paid for them. */
export interface RetentionWorld extends UsageWorld {
  readonly retention: Retention
  readonly walletId: Uuid
  /** Charges one request of that many days ago, and returns its id. */
  charge(daysAgo: number): Promise<Uuid>
  partitions(parent: string): Promise<string[]>
}

// Fewer than the configurable minimum, because creating partitions takes time.
export const keepDays = 5
export const oldestDaysAgo = keepDays + 3

export async function createRetentionWorld(): Promise<RetentionWorld> {
  const world = await createUsageWorld()
  const { pool } = world.database
  await pool.query('SELECT ensure_partitions(current_date - $1::integer, $1 + 8)', [oldestDaysAgo])
  const walletId = await newFundedWallet(world)
  return {
    ...world,
    retention: createPostgresRetention(pool),
    walletId,
    async charge(daysAgo) {
      const startedAtMs = momentOf(daysAgo)
      const id = newUuid(startedAtMs)
      await world.settle([{ id, walletId, keyId: walletId, startedAtMs, cost: nanoUsd(7n), refundReason: null }])
      return id
    },
    async partitions(parent) {
      const { rows } = await pool.query<{ name: string }>(
        `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
          WHERE i.inhparent = $1::regclass AND c.relname NOT LIKE '%default' ORDER BY 1`,
        [parent],
      )
      return rows.map(({ name }) => name)
    },
  }
}

export function momentOf(daysAgo: number): number {
  return startOf('day', Date.now()) - daysAgo * dayMs + dayMs / 2
}

export function dayPartition(daysAgo: number): string {
  return `generations_${dateOf(momentOf(daysAgo)).replaceAll('-', '')}`
}

async function newFundedWallet(world: UsageWorld): Promise<Uuid> {
  const id = await world.newWallet()
  const { pool } = world.database
  await pool.query('UPDATE wallets SET balance_nano = 1000, credited_nano = 1000 WHERE id = $1', [id])
  await pool.query(
    `INSERT INTO ledger_transfers (id, leg, wallet_id, kind, debit, credit, amount_nano)
      VALUES ($1, 0, $2, 'grant', 'grants', 'wallet', 1000)`,
    [newUuid(Date.now()), id],
  )
  return id
}
