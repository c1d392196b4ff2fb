import type { DialectCall } from '#dialects/dialect.ts'
import { mayCallModel } from '#domain/access/judge-model.ts'
import type { Wanted } from '#domain/routing/wanted.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { type Eventually, onceHere } from '#lib/eventually.ts'
import type { SessionQuotas } from '#ports/institutions.ts'
import type { ContentFilter } from './filter-content.ts'
import type { GuardRequest } from './guard-request.ts'
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
    const wanted = keepAllowed(request)
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

/** Models that the organization does not allow are skipped. If none is left, the request is rejected. */
function keepAllowed({ principal, wanted }: GuardRequest): Wanted {
  const refused = wanted.models.filter(({ id }) => !mayCallModel(principal, id))
  if (refused.length === 0) return wanted
  const models = wanted.models.filter((model) => !refused.includes(model))
  if (models.length === 0) {
    const names = refused.map(({ id }) => `"${id}"`).join(', ')
    throw new GatewayError('modelNotAllowed', { message: `Your organization does not allow ${names}.` })
  }
  const excluded = refused.map(({ id }) => ({ model: id, provider: null, rule: 'not_allowed' }) as const)
  return { ...wanted, models, excluded: [...wanted.excluded, ...excluded] }
}
