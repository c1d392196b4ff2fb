import { GatewayError } from '#errors/gateway-error.ts'
import type { SignIn, SignInRequest } from '#ports/people.ts'
import { deleteSession, findPerson } from '../postgres/people/people.sql.ts'
import type { createAuth, SignInSettings } from './create-auth.ts'
import { replacePasskeyRefusal } from './passkey-refusals.ts'
import { createProofs } from './proofs.ts'
import { createSessionSecrets, tokenInCookie, withTokens } from './session-secrets.ts'
import { clientIpHeader } from './strictness.ts'
import { watchPool } from './watch-pool.ts'

/** Sign-in, implemented by better-auth on its own tables. */
export function createSignIn(settings: Omit<SignInSettings, 'issueToken' | 'proofs'>): SignIn {
  const { cookieName } = settings
  const watched = watchPool(settings.pool)
  const secrets = createSessionSecrets(cookieName)
  const proofs = createProofs()
  const loadAuth = createLoader({ ...settings, pool: watched.pool, issueToken: secrets.issueToken, proofs })
  return {
    sessions: {
      findPerson: (cookie) =>
        watched.run(async () => {
          const { api } = await loadAuth()
          const session = await api.getSession({
            headers: withTokens(new Headers({ cookie }), cookieName),
            // The console renews a session when it asks for it, because only then can the renewed cookie be sent.
            query: { disableRefresh: true },
          })
          if (session === null) return null
          const person = await findPerson(watched.pool, session.user.id)
          return person && { ...person, signedInAtMs: session.session.createdAt.getTime() }
        }),
    },
    handle: async (request) => {
      const auth = await loadAuth()
      const { result: answered, proof } = await proofs.run(() =>
        secrets.run(request.headers, (headers) =>
          watched.run(() => auth.handler(toWebRequest(settings, { ...request, headers }))),
        ),
      )
      const response = await replacePasskeyRefusal(request.target, answered)
      if (response.status >= 500) throw new Error(`sign-in returned ${response.status}`)
      const begun = beginsSession(response, cookieName) ? proof.sessionOf : null
      const earlier = begun === null ? null : tokenInCookie(request.headers, cookieName)
      // A person who signs in again continues with the new session; the earlier one ends.
      if (begun !== null && earlier !== null) {
        await watched.run(() => deleteSession(watched.pool, { userId: begun, token: earlier }))
      }
      const provenId = proof.mailOf ?? begun
      return { response, provenEmail: provenId === null ? null : await emailOf(provenId) }
    },
  }

  async function emailOf(userId: string): Promise<string | null> {
    const person = await watched.run(() => findPerson(watched.pool, userId))
    return person?.email ?? null
  }
}

/**
 * The library is a quarter of all modules of a gateway. A gateway with a public address signs people in, so it loads
 * the library while it starts. Other gateways load it at the first sign-in.
 */
function createLoader(settings: SignInSettings): () => Promise<ReturnType<typeof createAuth>> {
  const load = async (): Promise<ReturnType<typeof createAuth>> =>
    (await import('./create-auth.ts')).createAuth(settings)
  let loaded = settings.publicUrl === null ? undefined : load()
  return () => (loaded ??= load())
}

/**
 * If a second factor is still required, the library revokes the session in the same response: the last cookie is empty.
 */
function beginsSession(response: Response, cookieName: string): boolean {
  const last = response.headers.getSetCookie().findLast((cookie) => cookie.startsWith(`${cookieName}=`))
  return last !== undefined && !last.startsWith(`${cookieName}=;`)
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
