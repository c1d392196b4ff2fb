import { actorOf } from '#domain/audit/audit-entry.ts'
import type { ChangeAuthor } from '#ports/keys.ts'
import { callerOf, type EndpointRequest } from '../endpoint.ts'

export function changeAuthorOf(request: EndpointRequest): ChangeAuthor {
  return { actor: actorOf(callerOf(request)), requestId: request.requestId, nowMs: request.nowMs }
}
