import type { Pool, PoolClient } from 'pg'
import type { FilterAction, FilterMatcher } from '#domain/filters/filter-rule.ts'
import { assert } from '#lib/assert.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { FilterRuleStore, OpenFilterRules, StoredFilterRule } from '#ports/organization-rules.ts'
import { appendAudit } from '../audit/audit.sql.ts'
import { refuseWhenAway } from '../faults.ts'
import { inTransaction } from '../with-client.ts'

export function createFilterRuleStore(pool: Pool, nowMs: () => number): FilterRuleStore {
  return {
    list: (organizationId) => refuseWhenAway(listFilterRules(pool, organizationId)),
    change: (organizationId, work) => {
      const changing = inTransaction(pool, 'READ COMMITTED', async (client) => {
        await lockFilterRules(client, organizationId)
        return work(openRules(client, organizationId, nowMs))
      })
      return refuseWhenAway(changing)
    },
  }
}

function openRules(client: PoolClient, organizationId: Uuid, nowMs: () => number): OpenFilterRules {
  return {
    list: () => listFilterRules(client, organizationId),
    insert: (rule) => insertFilterRule(client, organizationId, rule),
    update: (rule) => updateFilterRule(client, organizationId, rule),
    delete: (ruleId) => deleteFilterRule(client, organizationId, ruleId),
    append: (entry) => appendAudit(client, [entry], nowMs()),
  }
}

/** Columns that every statement about rules returns. */
const filterRuleColumns = 'id, name, enabled, action, matcher, position, created_at, updated_at'

interface FilterRuleRow {
  id: string
  name: string
  enabled: boolean
  action: FilterAction
  matcher: FilterMatcher
  position: number
  created_at: Date
  updated_at: Date
}

function readFilterRule({ created_at, updated_at, ...rule }: FilterRuleRow): StoredFilterRule {
  return { ...rule, createdAtMs: created_at.getTime(), updatedAtMs: updated_at.getTime() }
}

async function listFilterRules(connection: Pool | PoolClient, organizationId: Uuid): Promise<StoredFilterRule[]> {
  const text = `SELECT ${filterRuleColumns} FROM filter_rules WHERE organization_id = $1 ORDER BY position, id`
  const { rows } = await connection.query<FilterRuleRow>({ name: 'list-filter-rules', text, values: [organizationId] })
  return rows.map(readFilterRule)
}

/** Other changes to this organization or its rules wait until the transaction ends. */
async function lockFilterRules(client: PoolClient, organizationId: Uuid): Promise<void> {
  const text = 'SELECT FROM organizations WHERE id = $1 FOR NO KEY UPDATE'
  await client.query(text, [organizationId])
}

async function insertFilterRule(
  client: PoolClient,
  organizationId: Uuid,
  rule: Omit<StoredFilterRule, 'createdAtMs' | 'updatedAtMs'>,
): Promise<StoredFilterRule> {
  const text = `INSERT INTO filter_rules (id, organization_id, name, enabled, action, matcher, position)
    VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING ${filterRuleColumns}`
  const { id, name, enabled, action, matcher, position } = rule
  const values = [id, organizationId, name, enabled, action, JSON.stringify(matcher), position]
  const { rows } = await client.query<FilterRuleRow>(text, values)
  const [row] = rows
  assert(row !== undefined, 'what is inserted is returned')
  return readFilterRule(row)
}

/** Only for a rule that was read under the same lock. */
async function updateFilterRule(
  client: PoolClient,
  organizationId: Uuid,
  rule: Omit<StoredFilterRule, 'createdAtMs' | 'updatedAtMs'>,
): Promise<StoredFilterRule> {
  const text = `UPDATE filter_rules SET name = $3, enabled = $4, action = $5, matcher = $6, position = $7, updated_at = now()
    WHERE organization_id = $2 AND id = $1 RETURNING ${filterRuleColumns}`
  const { id, name, enabled, action, matcher, position } = rule
  const values = [id, organizationId, name, enabled, action, JSON.stringify(matcher), position]
  const { rows } = await client.query<FilterRuleRow>(text, values)
  const [row] = rows
  assert(row !== undefined, 'a rule stays while its organization is locked')
  return readFilterRule(row)
}

async function deleteFilterRule(client: PoolClient, organizationId: Uuid, ruleId: Uuid): Promise<void> {
  const text = 'DELETE FROM filter_rules WHERE organization_id = $1 AND id = $2'
  await client.query(text, [organizationId, ruleId])
}
