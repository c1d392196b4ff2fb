import type { PoolClient } from 'pg'
import type { Uuid } from '#lib/uuid.ts'

/** The ledger at one moment, and which parts of it are kept. */
export interface LedgerSnapshot {
  readonly client: PoolClient
  /** The sums contain exactly the generations with smaller positions. */
  readonly rolledUpBelow: string
  /** Generations of earlier days may have been dropped. `-infinity` while all are kept. */
  readonly retainedFrom: string
  /** The smallest id of those days, and of the day after. */
  readonly firstKeptId: Uuid
  readonly secondDayId: Uuid
  /** Hourly sums of earlier months may have been dropped. */
  readonly hoursFrom: string
}

const stateText = `SELECT s.rolled_up_below AS "rolledUpBelow", s.retained_from::text AS "retainedFrom",
    CASE WHEN isfinite(s.retained_from) THEN first_id_at(s.retained_from::timestamp AT TIME ZONE 'UTC')
      ELSE '00000000-0000-0000-0000-000000000000' END AS "firstKeptId",
    CASE WHEN isfinite(s.retained_from) THEN first_id_at((s.retained_from + 1)::timestamp AT TIME ZONE 'UTC')
      ELSE '00000000-0000-0000-0000-000000000000' END AS "secondDayId",
    coalesce((SELECT min(to_date(right(c.relname, 6), 'YYYYMM')) FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
              WHERE i.inhparent = 'usage_hours'::regclass AND c.relname ~ '^usage_hours_[0-9]{6}$'), 'infinity')::text AS "hoursFrom"
  FROM rollup_state s`

/**
 * Must run first in a REPEATABLE READ, READ ONLY transaction: from here on the transaction sees one snapshot.
 * Partitions are not part of a snapshot, so they are first locked against being dropped. The locks do not block
 * settles.
 */
export async function openSnapshot(client: PoolClient): Promise<LedgerSnapshot> {
  // JIT-compiling a plan over hundreds of partitions takes longer than running it.
  await client.query(`SET LOCAL jit = off; SET LOCAL work_mem = '64MB'`)
  await client.query('LOCK TABLE generations, usage_hours IN ACCESS SHARE MODE')
  const { rows } = await client.query<Omit<LedgerSnapshot, 'client'>>(stateText)
  const [state] = rows
  if (state === undefined) throw new Error('the rollup_state row is missing')
  return { client, ...state }
}

/** Counts the rows to compare. */
export async function countSnapshot({
  client,
  rolledUpBelow,
}: LedgerSnapshot): Promise<{ wallets: number; pending: number }> {
  const text = `SELECT (SELECT count(*)::integer FROM wallets) AS wallets,
    (SELECT count(*)::integer FROM generations WHERE settled_position >= $1) AS pending`
  const { rows } = await client.query<{ wallets: number; pending: number }>(text, [rolledUpBelow])
  return rows[0] ?? { wallets: 0, pending: 0 }
}
