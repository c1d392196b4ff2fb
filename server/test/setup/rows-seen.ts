import type { Pool } from 'pg'

interface PlanNode {
  readonly 'Relation Name'?: string
  readonly 'Actual Rows'?: number
  readonly 'Actual Loops'?: number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Rows Removed by Join Filter'?: number
  readonly 'Rows Removed by Index Recheck'?: number
  readonly 'Shared Hit Blocks'?: number
  readonly 'Shared Read Blocks'?: number
  readonly Plans?: readonly PlanNode[]
}

interface Statement {
  readonly text: string
  readonly values: readonly unknown[]
}

/** Executes a statement and counts the kept and discarded rows in every node of its plan. */
export async function rowsSeen(pool: Pool, statement: Statement): Promise<number> {
  return sumOf(nodesOf(await planOf(pool, statement)))
}

/** Executes a statement and counts the table rows that it read, used or not, and their blocks. */
export async function rowsRead(pool: Pool, statement: Statement): Promise<{ rows: number; blocks: number }> {
  const plan = await planOf(pool, statement)
  return {
    rows: sumOf(nodesOf(plan).filter((node) => node['Relation Name'] !== undefined)),
    blocks: (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0),
  }
}

async function planOf(pool: Pool, { text, values }: Statement): Promise<PlanNode> {
  const explained = `EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) ${text}`
  const { rows } = await pool.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(explained, [...values])
  return rows[0]?.['QUERY PLAN'][0]?.Plan ?? {}
}

function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)]
}

function sumOf(nodes: readonly PlanNode[]): number {
  return nodes.reduce((sum, node) => sum + rowsOf(node), 0)
}

function rowsOf(node: PlanNode): number {
  const thrownAway =
    (node['Rows Removed by Filter'] ?? 0) +
    (node['Rows Removed by Join Filter'] ?? 0) +
    (node['Rows Removed by Index Recheck'] ?? 0)
  return ((node['Actual Rows'] ?? 0) + thrownAway) * (node['Actual Loops'] ?? 1)
}
