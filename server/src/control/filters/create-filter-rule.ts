import type { AuditStamp } from '#domain/audit/audit-entry.ts'
import { filterRulesMax } from '#domain/filters/filter-rule.ts'
import { parseFilterRule, positionMax } from '#domain/filters/parse-filter-rule.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { malformed } from '#errors/malformed.ts'
import type { JsonObject } from '#lib/json.ts'
import { newUuid, type Uuid } from '#lib/uuid.ts'
import type { StoredFilterRule } from '#ports/organization-rules.ts'
import { describeFilterRule, type FilterRuleDeps, refuseMatcher } from './filter-rule-deps.ts'

/** Adds a rule, at the end unless it has a position. */
export async function createFilterRule(
  { store, engine, announce }: FilterRuleDeps,
  request: { organizationId: Uuid; body: JsonObject; stamp: AuditStamp; nowMs: number },
): Promise<StoredFilterRule> {
  const { organizationId, stamp } = request
  const parsed = parseFilterRule(request.body)
  if (!parsed.accepted) throw malformed(parsed.problem)
  const { name, action, matcher, enabled = true, position } = parsed.value
  if (name === undefined) throw missing('name')
  if (action === undefined) throw missing('action')
  if (matcher === undefined) throw missing('matcher')
  // The matcher is checked before the lock, because the check may take a while.
  await refuseMatcher(engine, matcher)
  const created = await store.change(organizationId, async (rules) => {
    const present = await rules.list()
    if (present.length >= filterRulesMax) {
      throw malformed(`An organization can have at most ${filterRulesMax} content filters. Delete one first.`)
    }
    const last = Math.min((present.at(-1)?.position ?? -1) + 1, positionMax)
    const id = newUuid(request.nowMs)
    const rule = await rules.insert({ id, name, action, matcher, enabled, position: position ?? last })
    const target = { kind: 'filter_rule', id }
    await rules.append({ ...stamp, action: 'filter.rule.create', target, after: describeFilterRule(rule) })
    return rule
  })
  await announce({ organizationId })
  return created
}

function missing(name: string): GatewayError {
  return new GatewayError('missingRequiredField', { message: `The field \`${name}\` is required.` })
}
