import { GatewayError } from '#errors/gateway-error.ts'
import type { SignIn, SignInRequest } from '#ports/people.ts'
import { deleteSession, findPerson, findSignedIn } from '../postgres/people/people.sql.ts'
import { endOtherSession } from '../postgres/sign-on/required-sign-on.sql.ts'
import type { createAuth, SignInSettings } from './create-auth.ts'
import { replacePasskeyRefusal } from './passkey-refusals.ts'
import { createProofs } from './proofs.ts'
import { createSessionSecrets, tokenInCookie, withTokens } from './session-secrets.ts'
import { replaceSignOnRefusal } from './sign-on-refusals.ts'
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
          const { token } = session.session
          const person = await findSignedIn(watched.pool, { userId: session.user.id, token })
          if (person === null) return null
          const passedSecondFactor = person.passedSecondFactor || !settings.operatorSecondFactor
          return { ...person, passedSecondFactor, signedInAtMs: session.session.createdAt.getTime() }
        }),
    },
    handle: async (request) => {
      const auth = await loadAuth()
      const token = tokenInCookie(request.headers, cookieName)
      // The library's own endpoints must not know a session that our endpoints refuse.
      if (token !== null) await watched.run(() => endOtherSession(watched.pool, token))
      const { result: answered, proof } = await proofs.run(() =>
        secrets.run(request.headers, (headers) =>
          watched.run(() => auth.handler(toWebRequest(settings, { ...request, headers }))),
        ),
      )
      const known = await replacePasskeyRefusal(request.target, answered)
      const response = await replaceSignOnRefusal(request.method, known)
      if (response.status >= 500) throw new Error(`sign-in returned ${response.status}`)
      const begun = beginsSession(response, cookieName) ? proof.sessionOf : null
      if (begun !== null) await endEarlier(begun, request.headers)
      const provenId = proof.mailOf ?? begun
      return { response, provenEmail: provenId === null ? null : await emailOf(provenId) }
    },
    begin: async ({ userId, organizationId, headers, clientIp }) => {
      const auth = await loadAuth()
      const own = new Headers(headers)
      setClientIp(own, clientIp)
      const { result: response } = await proofs.run(
        () =>
          secrets.run(own, (translated) =>
            watched.run(() => auth.api.beginSignedOn({ headers: translated, asResponse: true })),
          ),
        { userId, organizationId },
      )
      if (!response.ok) throw new Error(`sign-on returned ${response.status}`)
      await endEarlier(userId, headers)
      return { response, provenEmail: await emailOf(userId) }
    },
  }

  /** A person who signs in again continues with the new session; the earlier one ends. */
  async function endEarlier(userId: string, headers: Headers): Promise<void> {
    const earlier = tokenInCookie(headers, cookieName)
    if (earlier !== null) await watched.run(() => deleteSession(watched.pool, { userId, token: earlier }))
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

function setClientIp(headers: Headers, clientIp: string | null): void {
  headers.delete(clientIpHeader)
  if (clientIp !== null) headers.set(clientIpHeader, clientIp)
}

function toWebRequest(
  { publicUrl }: Pick<SignInSettings, 'publicUrl'>,
  { method, target, headers, body, clientIp }: SignInRequest,
): Request {
  const base = publicUrl ?? `https://${headers.get('host')}`
  if (!URL.canParse(target, base))
    throw new GatewayError('malformedRequest', { message: 'The path is not a valid URL.' })
  setClientIp(headers, clientIp)
  return new Request(new URL(target, base), { method, headers, body })
}
