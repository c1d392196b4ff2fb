import type { AuditStamp } from '#domain/audit/audit-entry.ts'
import type { Uuid } from '#lib/uuid.ts'
import { describeFilterRule } from './describe-filter-rule.ts'
import type { FilterRuleDeps } from './filter-rule-deps.ts'
import { readRule } from './read-rule.ts'

export async function deleteFilterRule(
  { book, announce }: FilterRuleDeps,
  request: { organizationId: Uuid; ruleId: Uuid; stamp: AuditStamp },
): Promise<void> {
  const { organizationId, ruleId, stamp } = request
  await book.change(organizationId, async (rules) => {
    const before = readRule(await rules.list(), ruleId)
    await rules.delete(ruleId)
    const target = { kind: 'filter_rule', id: ruleId }
    await rules.append({ ...stamp, action: 'filter.rule.delete', target, before: describeFilterRule(before) })
  })
  await announce({ organizationId })
}
