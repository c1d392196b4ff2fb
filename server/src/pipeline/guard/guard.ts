import type { DialectCall } from '#dialects/dialect.ts'
import type { Wanted } from '#domain/routing/wanted.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { type Eventually, onceHere } from '#lib/eventually.ts'
import type { SessionQuotas } from '#ports/institutions.ts'
import type { ContentFilter } from './filter-content.ts'
import type { GuardRequest } from './guard-request.ts'
import { keepAllowed } from './keep-allowed.ts'
import type { ContentModeration } from './moderate-content.ts'

/**
 * The request that may continue: the organization's allowed models may exclude some models, and filters may remove some
 * of the text.
 */
export type GuardStage = (request: GuardRequest) => Eventually<Guarded>

interface Guarded {
  readonly call: DialectCall
  readonly wanted: Wanted
}

interface GuardDeps {
  sessionQuotas: SessionQuotas
  filterContent: ContentFilter
  moderateContent: ContentModeration
}

/** Whether this principal may make this request at all. Cheap checks come first. */
export function createGuard({ sessionQuotas, filterContent, moderateContent }: GuardDeps): GuardStage {
  return (request) => {
    const wanted = keepAllowed(request.principal, request.wanted)
    // Personal requests have no filters.
    const filtered = request.principal.organizationId === null ? request.call : filterContent(request)
    return onceHere(filtered, (call) =>
      onceHere(moderateContent(request, call), () =>
        // Last, because a request that is rejected for its content must use up nothing.
        onceHere(takeSessionRequest(sessionQuotas, request), () => ({ call, wanted })),
      ),
    )
  }
}

/** Counts a request of an institution's session against its quotas. Most have none and cost nothing here. */
function takeSessionRequest(quotas: SessionQuotas, { principal }: GuardRequest): Eventually<void> {
  const { institutionSession } = principal
  if (institutionSession === null || !institutionSession.hasCountedQuota) return undefined
  return quotas.takeRequest(institutionSession.id).then((verdict) => {
    if (verdict.allowed) return
    throw new GatewayError('sessionQuotaUsed', {
      message: `This session's quota of ${verdict.quota} is used up. Verify again to start a new session.`,
    })
  })
}
