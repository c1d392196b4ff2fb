import type { Pool } from 'pg'
import type { DropOutcome, Retention } from '#ports/retention.ts'
import { dropOldPartition, type OldPartition } from './drop-old-partition.sql.ts'

/** Retention by dropping partitions, in functions that give up soon where the table is in use. */
export function createPostgresRetention(pool: Pool): Retention {
  return {
    dropDay: (keepDays) => outcomeOf(dropOldPartition(pool, 'drop_old_day', keepDays)),
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
