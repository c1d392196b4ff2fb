import { GatewayError } from '#errors/gateway-error.ts'
import type { SignIn, SignInRequest } from '#ports/sign-in.ts'
import { findPerson } from '../postgres/people/find-person.sql.ts'
import { createAuth, type SignInSettings } from './create-auth.ts'
import { createSessionSecrets, withTokens } from './session-secrets.ts'
import { clientIpHeader } from './strictness.ts'
import { watchPool } from './watch-pool.ts'

/** Signing in, done by better-auth on tables of its own. */
export function createSignIn(settings: Omit<SignInSettings, 'issueToken'>): SignIn {
  const { cookieName } = settings
  const watched = watchPool(settings.pool)
  const secrets = createSessionSecrets(cookieName)
  const auth = createAuth({ ...settings, pool: watched.pool, issueToken: secrets.issueToken })
  return {
    sessions: {
      findPerson: (cookie) =>
        watched.run(async () => {
          const session = await auth.api.getSession({
            headers: withTokens(new Headers({ cookie }), cookieName),
            // A session lives on when the website asks for it, where the renewed cookie can be sent.
            query: { disableRefresh: true },
          })
          return session === null ? null : findPerson(watched.pool, session.user.id)
        }),
    },
    handle: async (request) => {
      const response = await secrets.run(request.headers, (headers) =>
        watched.run(() => auth.handler(toWebRequest(settings, { ...request, headers }))),
      )
      if (response.status >= 500) throw new Error(`signing in answered ${response.status}`)
      return response
    },
  }
}

function toWebRequest(
  { publicUrl }: Pick<SignInSettings, 'publicUrl'>,
  { method, target, headers, body, clientIp }: SignInRequest,
): Request {
  const base = publicUrl ?? `https://${headers.get('host')}`
  if (!URL.canParse(target, base))
    throw new GatewayError('malformedRequest', { message: 'The path is not a valid URL.' })
  headers.delete(clientIpHeader)
  if (clientIp !== null) headers.set(clientIpHeader, clientIp)
  return new Request(new URL(target, base), { method, headers, body })
}
