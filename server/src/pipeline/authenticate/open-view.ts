import { accessRowOf } from '#domain/access/access-table.ts'
import type { Client, SignedInPerson } from '#domain/access/client.ts'
import { judgeCredential } from '#domain/access/judge-access.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { isUuid } from '#lib/uuid.ts'
import type { CustomerViews } from '#ports/customer-views.ts'

/**
 * The customer whose console an operator's session views. The id is no credential: it counts only with the session that
 * began the view, as long as the operator may begin one.
 */
export async function openView(
  views: Pick<CustomerViews, 'findOpen'>,
  { operator, viewId, nowMs }: { operator: SignedInPerson; viewId: string; nowMs: number },
): Promise<Client> {
  const { sessionId } = operator
  const signedIn = { kind: 'session', person: operator, view: null } as const
  const isAllowed = judgeCredential(accessRowOf('operators.impersonate'), signedIn).allowed
  const customer = isAllowed && isUuid(viewId) ? await views.findOpen({ viewId, sessionId, nowMs }) : null
  if (customer === null) throw viewEnded()
  // The customer did not sign in, so nothing that needs a recent sign-in or an operator is open.
  const person = { ...customer, sessionId, signedInAtMs: 0, passedSecondFactor: false, operatorRole: null }
  return { kind: 'session', person, view: { id: viewId, operator } }
}

export function viewEnded(): GatewayError {
  return new GatewayError('viewEnded', {
    message: "The view of this customer has ended. Begin another one on the customer's page.",
  })
}
