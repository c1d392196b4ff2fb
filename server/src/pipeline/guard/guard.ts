import type { DialectCall } from '#dialects/dialect.ts'
import type { Wanted } from '#domain/routing/wanted.ts'
import type { SessionQuotas } from '#ports/institutions.ts'
import type { ContentFilter } from './filter-content.ts'
import type { GuardRequest } from './guard-request.ts'
import { keepAllowed } from './keep-allowed.ts'
import type { ContentModeration } from './moderate-content.ts'
import { takeSessionRequest } from './take-session-request.ts'

/** What may go on: a list of allowed models may have taken some out, a filter some of the text. */
export type GuardStage = (request: GuardRequest) => Promise<{ readonly call: DialectCall; readonly wanted: Wanted }>

export interface GuardDeps {
  sessionQuotas: SessionQuotas
  filterContent: ContentFilter
  moderateContent: ContentModeration
}

/** Whether this caller may ask for this at all: one file for each check, in the order they cost more. */
export function createGuard({ sessionQuotas, filterContent, moderateContent }: GuardDeps): GuardStage {
  return async (request) => {
    const wanted = keepAllowed(request)
    // Personal requests have no filters, and pay for none.
    const call = request.principal.organizationId === null ? request.call : await filterContent(request)
    await moderateContent(request, call)
    // Last, because what is refused for its content uses up nothing.
    if (request.principal.institutionSession !== null) await takeSessionRequest(sessionQuotas, request)
    return { call, wanted }
  }
}
