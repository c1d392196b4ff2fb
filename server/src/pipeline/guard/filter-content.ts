import type { DialectCall } from '#dialects/dialect.ts'
import type { AuditEntry } from '#domain/audit/audit-entry.ts'
import { publicGenerationId } from '#domain/ledger/generation-id.ts'
import type { FilterRuleSet } from '#domain/filters/filter-rule-set.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { type Eventually, onceHere } from '#lib/eventually.ts'
import type { JsonObject } from '#lib/json.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { FilterEngine, FilterHit } from '#ports/filter-engine.ts'
import { firstModelOf, type GuardRequest } from './guard-request.ts'
import type { RuleCache } from './rule-cache.ts'

/** Returns the call without the text that the organization's rules remove, or rejects the call. */
export type ContentFilter = (request: GuardRequest) => Eventually<DialectCall>

interface ContentFilterDeps {
  rules: Pick<RuleCache, 'find'>
  engine: Pick<FilterEngine, 'inspect'>
  /** Writes an audit entry without delaying the request. */
  record: (entry: AuditEntry) => void
}

export function createContentFilter({ rules, engine, record }: ContentFilterDeps): ContentFilter {
  return (request) => {
    const { organizationId } = request.principal
    if (organizationId === null) return request.call
    return onceHere(rules.find(organizationId), (set) =>
      set.rules.length === 0 ? request.call : filter(request, organizationId, set),
    )
  }

  async function filter(request: GuardRequest, organizationId: Uuid, set: FilterRuleSet): Promise<DialectCall> {
    const { arrival, call } = request
    refuseUnreadable(request)
    const texts = arrival.dialect.texts(call.body)
    const findings = await engine.inspect({ ...set, texts })
    for (const hit of toRecord(findings.hits)) {
      const rule = set.rules.find(({ id }) => id === hit.ruleId)
      record(describeHit({ request, organizationId, hit, ruleName: rule?.name ?? '', isRefusing: isRefusing(hit) }))
    }
    refuse(findings.hits)
    const body = arrival.dialect.withTexts(call.body, findings.texts)
    return body === call.body ? call : { ...call, body, ...mediaOf(request, body) }
  }
}

/** Rules read text. Content that hides text from the rules must not reach an upstream that can read it. */
function refuseUnreadable({ arrival, call }: GuardRequest): void {
  const remedy = arrival.dialect.unreadableFor?.(call)
  if (remedy === undefined || remedy === null) return
  throw new GatewayError('contentFilter', {
    message: `Your organization's content filters can't inspect this prompt, so it was not sent. ${remedy}`,
  })
}

/** A media task is built from the texts of its body, so it is built again after rules removed some of them. */
function mediaOf({ arrival, call }: GuardRequest, body: JsonObject): Pick<DialectCall, 'media'> {
  if (call.media === undefined) return {}
  const { media } = arrival.dialect.parse(body, arrival.files)
  return media === undefined ? {} : { media }
}

/** Text that a rule would remove must not be sent because the rule timed out. */
function isRefusing({ action, timedOut }: FilterHit): boolean {
  return action === 'block' || (timedOut && action === 'redact')
}

/** One entry stands for all rules that timed out without a finding, because a hundred may time out together. */
function toRecord(hits: readonly FilterHit[]): FilterHit[] {
  const late = hits.filter(({ matches }) => matches.length === 0)
  const first = late.find(isRefusing) ?? late[0]
  return hits.filter((hit) => hit.matches.length > 0 || hit === first)
}

function refuse(hits: readonly FilterHit[]): void {
  const named = "Your organization's audit log names the rule."
  const blocking = hits.find(({ action, matches, timedOut }) => action === 'block' && (matches.length > 0 || !timedOut))
  if (blocking?.isInjection === true) {
    throw new GatewayError('promptInjection', {
      message: `This prompt was blocked because it looks like a prompt injection attempt. ${named}`,
    })
  }
  if (blocking !== undefined) {
    throw new GatewayError('contentFilter', {
      message: `This prompt was blocked by one of your organization's content filters. ${named}`,
    })
  }
  if (!hits.some(isRefusing)) return
  throw new GatewayError('contentFilter', {
    message: `One of your organization's content filters timed out, so this prompt was not sent. ${named}`,
  })
}

/** The audit entry of a rule that matched: which rule, how often and for whom; never the matched text. */
function describeHit(found: {
  request: GuardRequest
  organizationId: Uuid
  hit: FilterHit
  ruleName: string
  isRefusing: boolean
}): AuditEntry {
  const { arrival, principal } = found.request
  const { hit } = found
  return {
    chainId: found.organizationId,
    actor: { kind: 'key', id: principal.keyId, name: principal.keyName },
    requestId: arrival.replyHeaders['x-request-id'] ?? null,
    action: found.isRefusing ? 'filter.blocked' : actions[hit.action],
    target: { kind: 'filter_rule', id: hit.ruleId },
    details: {
      rule: found.ruleName,
      matches: hit.matches.length,
      ...(hit.timedOut ? { timedOut: true } : {}),
      model: firstModelOf(found.request),
      memberId: principal.memberId,
      ...(principal.institutionSession === null ? {} : { sessionId: principal.institutionSession.id }),
      generationId: publicGenerationId(arrival.generationId),
    },
  }
}

const actions = { block: 'filter.blocked', redact: 'filter.redacted', flag: 'filter.flagged' } as const
