import { actorOf, type AuditStamp } from '#domain/audit/audit-entry.ts'
import type { ChangeAuthor } from '#ports/keys.ts'
import { clientOf, type EndpointRequest, organizationOf } from './endpoint.ts'

/** The common fields of all audit entries of a change within an organization. */
export function auditStampOf(request: EndpointRequest): AuditStamp {
  const { organizationId } = organizationOf(request)
  return { chainId: organizationId, actor: actorOf(clientOf(request)), requestId: request.requestId }
}

export function changeAuthorOf(request: EndpointRequest): ChangeAuthor {
  const { operates, requestId, nowMs } = request
  return { actor: actorOf(clientOf(request), { operates }), requestId, nowMs }
}
