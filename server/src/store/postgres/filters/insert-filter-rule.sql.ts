import type { PoolClient } from 'pg'
import { assert } from '#lib/assert.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { StoredFilterRule } from '#ports/filter-rules.ts'
import { filterRuleColumns, type FilterRuleRow, readFilterRule } from './filter-rule-row.ts'

const text = `INSERT INTO filter_rules (id, organization_id, name, enabled, action, matcher, position)
  VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING ${filterRuleColumns}`

export async function insertFilterRule(
  client: PoolClient,
  organizationId: Uuid,
  rule: Omit<StoredFilterRule, 'createdAtMs' | 'updatedAtMs'>,
): Promise<StoredFilterRule> {
  const { id, name, enabled, action, matcher, position } = rule
  const values = [id, organizationId, name, enabled, action, JSON.stringify(matcher), position]
  const { rows } = await client.query<FilterRuleRow>(text, values)
  const [row] = rows
  assert(row !== undefined, 'what is inserted is returned')
  return readFilterRule(row)
}
