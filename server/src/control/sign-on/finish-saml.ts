import type { ProvenIdentity } from '#domain/sign-on/proven-identity.ts'
import { objectAt, stringAt } from '#lib/json.ts'
import { isUuid } from '#lib/uuid.ts'
import type { OpenConnection, SamlQuery } from '#ports/sign-on.ts'
import { type Answered, endSignOn, takeAttempt } from './end-sign-on.ts'
import { samlAddressesOf } from './sign-on-addresses.ts'
import { openConnection, type SignOnEnd, type SignOnFlowDeps } from './sign-on-flow.ts'

export interface SamlPost {
  /** The organization in the path. */
  readonly organizationId: string
  readonly browser: string | null
  readonly response: string
  /** Our state. A provider that begins a sign-in may send anything, and none of it is followed. */
  readonly relayState: string
  readonly requestId: string
}

/** Takes the answer of a SAML provider. */
export async function finishSaml(deps: SignOnFlowDeps, request: SamlPost): Promise<SignOnEnd> {
  const { organizationId, relayState, requestId } = request
  const isOurs = stateForm.test(relayState)
  const answered = isOurs
    ? await takeAttempt(deps, { ...request, state: relayState })
    : await openUnsolicited(deps, organizationId)
  if (answered === null) return { kind: 'refused', refusal: 'expired' }
  return endSignOn(deps, answered, { prove: () => prove(deps, answered, { request, isOurs }), requestId })
}

// 32 random bytes.
const stateForm = /^[\w-]{43}$/

async function prove(
  deps: SignOnFlowDeps,
  { opened, details }: Answered,
  { request, isOurs }: { request: SamlPost; isOurs: boolean },
): Promise<ProvenIdentity> {
  const memory = objectAt(details, 'memory')
  const { identity, assertionId, expiresAtMs } = await deps.saml.finish({
    ...samlQuery(deps, opened),
    response: request.response,
    requestId: isOurs ? (stringAt(memory, 'requestId') ?? '') : null,
    nowMs: deps.nowMs(),
  })
  const connectionId = opened.connection.id
  if (await deps.attempts.useAssertion({ connectionId, assertionId, expiresAtMs })) return identity
  throw new Error('The assertion was used before.')
}

/** A sign-in that the provider began, at the enabled connection of the organization. Null unless that allows it. */
async function openUnsolicited(deps: SignOnFlowDeps, organizationId: string): Promise<Answered | null> {
  if (!isUuid(organizationId)) return null
  const enabled = (await deps.store.listConnections(organizationId)).find((connection) => connection.enabled)
  if (enabled?.settings.kind !== 'saml' || !enabled.settings.allowsUnsolicited) return null
  const opened = await openConnection(deps, { organizationId, connectionId: enabled.id, isTest: false })
  if (opened === null) return null
  return { opened, isTest: false, next: `/console/o/${opened.organization.slug}`, personId: null, details: {} }
}

export function samlQuery({ publicOrigin }: SignOnFlowDeps, { connection }: OpenConnection): SamlQuery {
  const { organizationId, settings } = connection
  if (settings.kind !== 'saml') throw new Error('The connection is not a SAML provider.')
  return { settings, ...samlAddressesOf(publicOrigin ?? '', organizationId) }
}
