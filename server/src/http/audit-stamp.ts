import { actorOf, type AuditStamp } from '#domain/audit/audit-entry.ts'
import { callerOf, type EndpointRequest, organizationOf } from './endpoint.ts'

/** What every audit entry of a change within an organization begins with. */
export function auditStampOf(request: EndpointRequest): AuditStamp {
  const { organizationId } = organizationOf(request)
  return { chainId: organizationId, actor: actorOf(callerOf(request)), requestId: request.requestId }
}
