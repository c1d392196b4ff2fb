import type { Pool, PoolClient } from 'pg'
import type { Uuid } from '#lib/uuid.ts'
import type { StoredFilterRule } from '#ports/filter-rules.ts'
import { filterRuleColumns, type FilterRuleRow, readFilterRule } from './filter-rule-row.ts'

const text = `SELECT ${filterRuleColumns} FROM filter_rules WHERE organization_id = $1 ORDER BY position, id`

export async function listFilterRules(
  connection: Pool | PoolClient,
  organizationId: Uuid,
): Promise<StoredFilterRule[]> {
  const { rows } = await connection.query<FilterRuleRow>({ name: 'list-filter-rules', text, values: [organizationId] })
  return rows.map(readFilterRule)
}
