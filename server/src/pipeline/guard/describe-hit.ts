import type { AuditEntry } from '#domain/audit/audit-entry.ts'
import { publicGenerationId } from '#domain/ledger/generation-id.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { FilterHit } from '#ports/filter-engine.ts'
import { firstModelOf, type GuardRequest } from './guard-request.ts'

/** The audit entry of a rule that fired: which rule, how often and for whom; never what it found. */
export function describeHit(found: {
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
