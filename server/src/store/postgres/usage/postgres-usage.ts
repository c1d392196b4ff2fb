import type { Pool } from 'pg'
import type { UsageDimension, UsageQuery, UsageReads, UsageRow } from '#ports/usage.ts'
import { readNano } from '../column-values.ts'
import { refuseWhenAway } from '../faults.ts'
import { usageStatement } from './usage-statement.ts'

/** Sums from the rollups in Postgres. */
export function createPostgresUsage(pool: Pool): UsageReads {
  return { sum: (query) => refuseWhenAway(sumUsage(pool, query)) }
}

type StoredRow = Partial<Record<UsageDimension, string | null>> & {
  requests: string | null
  failed: string
  spent_nano: string
  saved_nano: string
  prompt_tokens: string
  completion_tokens: string
  first_token_counts?: string[]
}

async function sumUsage(pool: Pool, query: UsageQuery): Promise<readonly UsageRow[]> {
  const { text, values } = usageStatement(query)
  const { rows } = await pool.query<StoredRow>(text, [...values])
  // Without a dimension there is always one row. It is empty if nothing was summed.
  const summed = rows.filter(({ requests }) => requests !== null)
  return summed.sort((one, other) => compareBy(query.by, one, other)).map((row) => rowOf(row, query.by))
}

/** Compares by the requested dimensions, in order. Rows without a value come last. */
function compareBy(by: readonly UsageDimension[], one: StoredRow, other: StoredRow): number {
  for (const dimension of by) {
    const [left, right] = [one[dimension] ?? '\uFFFF', other[dimension] ?? '\uFFFF']
    if (left !== right) return left < right ? -1 : 1
  }
  return 0
}

function rowOf(row: StoredRow, by: readonly UsageDimension[]): UsageRow {
  const counts = row.first_token_counts
  return {
    ...Object.fromEntries(by.map((dimension) => [dimension, row[dimension] ?? null])),
    requests: Number(row.requests),
    failed: Number(row.failed),
    spent: readNano(row.spent_nano),
    saved: readNano(row.saved_nano),
    promptTokens: Number(row.prompt_tokens),
    completionTokens: Number(row.completion_tokens),
    ...(counts === undefined ? {} : { firstTokenCounts: counts.map(Number) }),
  }
}
