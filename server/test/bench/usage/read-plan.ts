import type { Pool } from 'pg'

/** The reads of an executed statement. */
export interface ReadPlan {
  /** Tables; partitions by their own names. */
  readonly relations: readonly string[]
  /** Rollup rows that were read, including discarded ones. */
  readonly rowsRead: number
  readonly blocks: number
}

interface PlanNode {
  readonly 'Relation Name'?: string
  readonly 'Actual Rows'?: number
  readonly 'Actual Loops'?: number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Shared Hit Blocks'?: number
  readonly 'Shared Read Blocks'?: number
  readonly Plans?: readonly PlanNode[]
}

export async function readPlan(pool: Pool, statement: { text: string; values: readonly unknown[] }): Promise<ReadPlan> {
  const text = `EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) ${statement.text}`
  const { rows } = await pool.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(text, [...statement.values])
  const top = rows[0]?.['QUERY PLAN'][0]?.Plan
  if (top === undefined) throw new Error('a statement has no plan')
  const scans = nodesOf(top).filter((node) => node['Relation Name'] !== undefined)
  return {
    relations: [...new Set(scans.map((node) => node['Relation Name'] ?? ''))],
    rowsRead: scans.filter((node) => isFacts(node['Relation Name'])).reduce((sum, node) => sum + rowsOf(node), 0),
    blocks: (top['Shared Hit Blocks'] ?? 0) + (top['Shared Read Blocks'] ?? 0),
  }
}

/** Names on pages come from small tables; figures come from rollups. */
const allowed = /^usage_|^(api_keys|wallets|organizations|teams|members|users|departed_members|wallet_tags)$/

/** Fails if figures are summed up from requests, or come from a table that grows with them. */
export function expectRollupsOnly({ relations }: ReadPlan, name: string): void {
  const foreign = relations.filter((relation) => !allowed.test(relation))
  if (foreign.length > 0) throw new Error(`${name} reads ${foreign.join(', ')}`)
}

function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)]
}

function isFacts(relation = ''): boolean {
  return relation.startsWith('usage_') && relation !== 'usage_series'
}

function rowsOf(node: PlanNode): number {
  return ((node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0)) * (node['Actual Loops'] ?? 1)
}
