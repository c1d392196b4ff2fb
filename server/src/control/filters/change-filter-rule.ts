import type { AuditStamp } from '#domain/audit/audit-entry.ts'
import { changedValues } from '#domain/audit/changed-values.ts'
import { parseFilterRule } from '#domain/filters/parse-filter-rule.ts'
import { malformed } from '#errors/malformed.ts'
import type { JsonObject } from '#lib/json.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { StoredFilterRule } from '#ports/organization-rules.ts'
import { describeFilterRule, type FilterRuleDeps, readRule, refuseMatcher } from './filter-rule-deps.ts'

/** Changes the given fields of a rule. */
export async function changeFilterRule(
  { store, engine, announce }: FilterRuleDeps,
  request: { organizationId: Uuid; ruleId: Uuid; body: JsonObject; stamp: AuditStamp },
): Promise<StoredFilterRule> {
  const { organizationId, ruleId, stamp } = request
  readRule(await store.list(organizationId), ruleId)
  const parsed = parseFilterRule(request.body)
  if (!parsed.accepted) throw malformed(parsed.problem)
  // The matcher is checked before the lock, because the check may take a while.
  if (parsed.value.matcher !== undefined) await refuseMatcher(engine, parsed.value.matcher)
  const changed = await store.change(organizationId, async (rules) => {
    const before = readRule(await rules.list(), ruleId)
    const difference = changedValues(describeFilterRule(before), describeFilterRule({ ...before, ...parsed.value }))
    if (difference === null) return before
    const after = await rules.update({ ...before, ...parsed.value })
    const target = { kind: 'filter_rule', id: ruleId }
    await rules.append({ ...stamp, action: 'filter.rule.update', target, ...difference })
    return after
  })
  await announce({ organizationId })
  return changed
}

export async function deleteFilterRule(
  { store, announce }: FilterRuleDeps,
  request: { organizationId: Uuid; ruleId: Uuid; stamp: AuditStamp },
): Promise<void> {
  const { organizationId, ruleId, stamp } = request
  await store.change(organizationId, async (rules) => {
    const before = readRule(await rules.list(), ruleId)
    await rules.delete(ruleId)
    const target = { kind: 'filter_rule', id: ruleId }
    await rules.append({ ...stamp, action: 'filter.rule.delete', target, before: describeFilterRule(before) })
  })
  await announce({ organizationId })
}
