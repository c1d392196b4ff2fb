import type { Pool } from 'pg'
import type { DropOutcome, Retention } from '#ports/usage.ts'

/** Retention by dropping partitions, with functions that give up soon if the table is in use. */
export function createPostgresRetention(pool: Pool): Retention {
  return {
    dropDay: (keepDays) => outcomeOf(dropOldPartition(pool, 'drop_old_day', keepDays)),
    dropRefusals: (keepDays) => outcomeOf(dropOldPartition(pool, 'drop_old_refusals', keepDays)),
    dropMonth: (keepMonths) => outcomeOf(dropOldPartition(pool, 'drop_old_month', keepMonths)),
  }
}

async function outcomeOf(dropping: Promise<OldPartition | undefined>): Promise<DropOutcome> {
  try {
    const old = await dropping
    if (old === undefined) return { kind: 'nothing' }
    return { kind: old.isDropped ? 'dropped' : 'held', partition: old.partition }
  } catch (error) {
    if (isLockTimeout(error)) return { kind: 'busy' }
    throw error
  }
}

function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '55P03'
}

interface OldPartition {
  readonly partition: string
  readonly isDropped: boolean
}

const texts = {
  drop_old_day: 'SELECT partition, is_dropped AS "isDropped" FROM drop_old_day($1)',
  drop_old_refusals: 'SELECT partition, is_dropped AS "isDropped" FROM drop_old_refusals($1)',
  drop_old_month: 'SELECT partition, is_dropped AS "isDropped" FROM drop_old_month($1)',
}

/** The oldest partition if it is old enough: dropped or deferred. */
async function dropOldPartition(
  pool: Pool,
  procedure: keyof typeof texts,
  keep: number,
): Promise<OldPartition | undefined> {
  const { rows } = await pool.query<OldPartition>({ name: procedure, text: texts[procedure], values: [keep] })
  return rows[0]
}

/** Creates the partitions of the coming days and returns how many were missing. */
export async function ensurePartitions(pool: Pool, daysAhead: number): Promise<number> {
  const { rows } = await pool.query<{ made: number }>({
    name: 'ensure-partitions',
    text: `SELECT ensure_partitions((now() AT TIME ZONE 'UTC')::date, $1) AS made`,
    values: [daysAhead],
  })
  return rows[0]?.made ?? 0
}
