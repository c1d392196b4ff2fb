import type { Pool, PoolClient } from 'pg'
import type { Uuid } from '#lib/uuid.ts'
import type { FilterRuleBook, OpenFilterRules } from '#ports/filter-rules.ts'
import { refuseWhenAway } from '../account/refuse-when-away.ts'
import { appendAudit } from '../audit/append-audit.sql.ts'
import { inTransaction } from '../in-transaction.ts'
import { deleteFilterRule } from './delete-filter-rule.sql.ts'
import { insertFilterRule } from './insert-filter-rule.sql.ts'
import { listFilterRules } from './list-filter-rules.sql.ts'
import { lockFilterRules } from './lock-filter-rules.sql.ts'
import { updateFilterRule } from './update-filter-rule.sql.ts'

export function createFilterRuleBook(pool: Pool, nowMs: () => number): FilterRuleBook {
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
