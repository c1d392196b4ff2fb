import { GatewayError } from '#errors/gateway-error.ts'
import type { SignIn, SignInRequest } from '#ports/people.ts'
import { deleteSession, findPerson } from '../postgres/people/people.sql.ts'
import type { createAuth, SignInSettings } from './create-auth.ts'
import { replacePasskeyRefusal } from './passkey-refusals.ts'
import { createProofs } from './proofs.ts'
import { createSessionSecrets, tokenInCookie, withTokens } from './session-secrets.ts'
import { clientIpHeader } from './strictness.ts'
import { watchPool } from './watch-pool.ts'

/** Signing in, done by better-auth on tables of its own. */
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
            // A session lives on when the website asks for it, where the renewed cookie can be sent.
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
      // A person who signs in again goes on with the new session; the one that they had ends.
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
 * The library is a quarter of all modules of a gateway. A gateway with a public address has people to sign in, and
 * loads it while it starts; another loads it for the first of them, if there ever is one.
 */
function createLoader(settings: SignInSettings): () => Promise<ReturnType<typeof createAuth>> {
  const load = async (): Promise<ReturnType<typeof createAuth>> =>
    (await import('./create-auth.ts')).createAuth(settings)
  let loaded = settings.publicUrl === null ? undefined : load()
  return () => (loaded ??= load())
}

/** Where a second factor is still to come, the session is taken back in the same answer: its last cookie is empty. */
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
