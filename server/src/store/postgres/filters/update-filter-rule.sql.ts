import type { PoolClient } from 'pg'
import { assert } from '#lib/assert.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { StoredFilterRule } from '#ports/filter-rules.ts'
import { filterRuleColumns, type FilterRuleRow, readFilterRule } from './filter-rule-row.ts'

const text = `UPDATE filter_rules SET name = $3, enabled = $4, action = $5, matcher = $6, position = $7, updated_at = now()
  WHERE organization_id = $2 AND id = $1 RETURNING ${filterRuleColumns}`

/** Only for a rule that was found under the same lock. */
export async function updateFilterRule(
  client: PoolClient,
  organizationId: Uuid,
  rule: Omit<StoredFilterRule, 'createdAtMs' | 'updatedAtMs'>,
): Promise<StoredFilterRule> {
  const { id, name, enabled, action, matcher, position } = rule
  const values = [id, organizationId, name, enabled, action, JSON.stringify(matcher), position]
  const { rows } = await client.query<FilterRuleRow>(text, values)
  const [row] = rows
  assert(row !== undefined, 'a rule stays while its organization is locked')
  return readFilterRule(row)
}
