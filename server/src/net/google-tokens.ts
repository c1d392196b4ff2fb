import { errorText } from '#lib/error-text.ts'
import { countAt, type JsonObject, parseJsonObject, stringAt } from '#lib/json.ts'
import { signJsonWebTokenWithKey } from '#lib/json-web-token.ts'
import { useRecent } from '#lib/set-bounded.ts'

/** Access tokens of Google's service accounts: created on first use, and renewed before they expire. */
interface GoogleTokens {
  /** The headers for this credential: a service account's key file, an API key, or a token that the operator renews. */
  headersFor(credential: string): Promise<Readonly<Record<string, string>>>
}

interface GoogleTokensDeps {
  /** Posts a form to Google's token server and returns its response. */
  post: (form: string) => Promise<{ readonly status: number; readonly body: string }>
  /** The audience of the signed token request. */
  tokenUrl: string
  nowMs: () => number
  onError: (error: unknown) => void
}

/** Google rejects token requests of this credential. It is unusable until it is replaced. */
export class GoogleTokenError extends Error {}

interface Held {
  token: string
  /** From this time on a new token is fetched while this one is still used. */
  renewAtMs: number
  expiresAtMs: number
}

interface Entry {
  held: Held | null
  minting: Promise<Held> | null
  /** After a failure no request is sent before this time, unless there is no token at all. */
  restsUntilMs: number
}

/** The rest of the lifetime is enough for retries during a minute, and for a long request. */
const renewedShare = 0.75
const restMs = 10_000
/** Maximum cached credentials. Rotated credentials are evicted first, because they are no longer used. */
const entriesMax = 200
const scope = 'https://www.googleapis.com/auth/cloud-platform'
const assertionS = 3_600

export function createGoogleTokens(deps: GoogleTokensDeps): GoogleTokens {
  const entries = new Map<string, Entry>()

  async function tokenFor(credential: string, account: ServiceAccount): Promise<string> {
    const entry = useRecent(entries, credential, newEntry, entriesMax)
    const nowMs = deps.nowMs()
    if (entry.held === null || nowMs >= entry.held.expiresAtMs) return (await mintOnce(entry, account)).token
    if (nowMs >= entry.held.renewAtMs && nowMs >= entry.restsUntilMs) mintOnce(entry, account).catch(deps.onError)
    return entry.held.token
  }

  function mintOnce(entry: Entry, account: ServiceAccount): Promise<Held> {
    entry.minting ??= mint(account)
      .then((held) => {
        entry.held = held
        return held
      })
      .catch((error: unknown) => {
        entry.restsUntilMs = deps.nowMs() + restMs
        throw error
      })
      .finally(() => {
        entry.minting = null
      })
    return entry.minting
  }

  async function mint(account: ServiceAccount): Promise<Held> {
    const nowMs = deps.nowMs()
    const { status, body } = await deps.post(formFor(account, nowMs, deps.tokenUrl))
    const answer = parseJsonObject(body) ?? {}
    const token = stringAt(answer, 'access_token')
    if (status !== 200 || token === undefined) throw new GoogleTokenError(refusalIn(answer, status))
    const lifeMs = (countAt(answer, 'expires_in') ?? assertionS) * 1_000
    return { token, renewAtMs: nowMs + lifeMs * renewedShare, expiresAtMs: nowMs + lifeMs }
  }

  return {
    headersFor: async (credential) => {
      const shown = credential.trim()
      if (shown.startsWith('{')) {
        return { authorization: `Bearer ${await tokenFor(credential, serviceAccountIn(shown))}` }
      }
      return apiKey.test(shown) ? { 'x-goog-api-key': shown } : { authorization: `Bearer ${shown}` }
    },
  }
}

function newEntry(): Entry {
  return { held: null, minting: null, restsUntilMs: 0 }
}

const apiKey = /^A[IQ][\w.-]{20,}$/

interface ServiceAccount {
  readonly email: string
  readonly key: { readonly pem: string; readonly id: string }
}

function serviceAccountIn(text: string): ServiceAccount {
  const file: JsonObject = parseJsonObject(text) ?? {}
  const [email, pem] = [stringAt(file, 'client_email'), stringAt(file, 'private_key')]
  if (email === undefined || pem === undefined) {
    throw new GoogleTokenError('The service account key file lacks client_email or private_key.')
  }
  return { email, key: { pem, id: stringAt(file, 'private_key_id') ?? '' } }
}

function formFor({ email, key }: ServiceAccount, nowMs: number, audience: string): string {
  const iat = Math.floor(nowMs / 1_000)
  const assertion = signed({ iss: email, sub: email, aud: audience, scope, iat, exp: iat + assertionS }, key)
  return new URLSearchParams({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion }).toString()
}

function signed(claims: Record<string, string | number>, key: ServiceAccount['key']): string {
  try {
    return signJsonWebTokenWithKey(claims, key)
  } catch (error) {
    throw new GoogleTokenError(`The service account private key can't be read: ${errorText(error)}`)
  }
}

function refusalIn(answer: JsonObject, status: number): string {
  const words = stringAt(answer, 'error_description') ?? stringAt(answer, 'error') ?? 'no reason given'
  return `Google issued no access token (${status}): ${words}`
}
