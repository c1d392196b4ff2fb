import { objectAt } from '#lib/json.ts'
import { unseal } from '#lib/seal.ts'
import type { OidcQuery, OpenConnection } from '#ports/sign-on.ts'
import { endSignOn, takeAttempt } from './end-sign-on.ts'
import { redirectUriOf } from './sign-on-addresses.ts'
import type { SignOnEnd, SignOnFlowDeps } from './sign-on-flow.ts'

/** Takes the answer of an OpenID Connect provider. */
export async function finishOidc(
  deps: SignOnFlowDeps,
  request: { organizationId: string; browser: string | null; query: string; requestId: string },
): Promise<SignOnEnd> {
  const state = new URLSearchParams(request.query).get('state') ?? ''
  const answered = await takeAttempt(deps, { ...request, state })
  if (answered === null) return { kind: 'refused', refusal: 'expired' }
  const prove = async () => {
    const query = oidcQuery(deps, answered.opened, state)
    const callback = new URL(`${query.redirectUri}?${request.query}`)
    return deps.oidc.finish({ ...query, callback, memory: objectAt(answered.details, 'memory') })
  }
  return endSignOn(deps, answered, { prove, requestId: request.requestId })
}

export function oidcQuery(deps: SignOnFlowDeps, { connection, secret }: OpenConnection, state: string): OidcQuery {
  const { id, organizationId, settings } = connection
  if (settings.kind !== 'oidc' || secret === null) throw new Error('The connection is not an OpenID Connect provider.')
  const clientSecret = unseal(deps.sealingKey, secret, id)
  return {
    organizationId,
    settings,
    clientSecret,
    redirectUri: redirectUriOf(deps.publicOrigin ?? '', organizationId),
    state,
  }
}
