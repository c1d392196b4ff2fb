import type { Pool } from 'pg'

interface PlanNode {
  readonly 'Actual Rows'?: number
  readonly 'Actual Loops'?: number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Rows Removed by Join Filter'?: number
  readonly Plans?: readonly PlanNode[]
}

/** Carries a statement out and counts, in every node of its plan, the rows that were kept or thrown away. */
export async function rowsSeen(pool: Pool, statement: { text: string; values: readonly unknown[] }): Promise<number> {
  const { rows } = await pool.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
    `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${statement.text}`,
    [...statement.values],
  )
  return rowsIn(rows[0]?.['QUERY PLAN'][0]?.Plan ?? {})
}

function rowsIn(node: PlanNode): number {
  const seen =
    (node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Join Filter'] ?? 0)
  return (node.Plans ?? []).reduce((sum, child) => sum + rowsIn(child), seen * (node['Actual Loops'] ?? 1))
}
