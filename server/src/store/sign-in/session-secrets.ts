import { AsyncLocalStorage } from 'node:async_hooks'
import { hash, randomBytes } from 'node:crypto'
import { assert } from '#lib/assert.ts'

/**
 * Sessions are stored by the hash of the browser's secret, so that a reader of the database cannot use them. The
 * library does not know about this: it takes the hash for the token. Its cookie is `token.signature`; the browser's is
 * `secret.signature`. Requests and responses are translated from one to the other.
 */
interface SessionSecrets {
  /** Replaces the library's own token in a session that is about to be stored. */
  issueToken(): string
  /** Runs one browser request, with its cookies translated for the library. */
  run(headers: Headers, work: (headers: Headers) => Promise<Response>): Promise<Response>
}

export function createSessionSecrets(cookieName: string): SessionSecrets {
  /** Secrets by token, as seen in one request. */
  const known = new AsyncLocalStorage<Map<string, string>>()
  return {
    issueToken() {
      const secret = randomBytes(32).toString('base64url')
      const token = tokenOf(secret)
      known.getStore()?.set(token, secret)
      return token
    },
    run: (headers, work) => {
      const secrets = new Map<string, string>()
      return known.run(secrets, async () => {
        const response = await work(withTokens(headers, cookieName, secrets))
        return withSecrets(response, cookieName, secrets)
      })
    },
  }
}

/** The secret has 256 random bits, so a plain hash reveals nothing about it. */
export function tokenOf(secret: string): string {
  return hash('sha256', secret, 'base64url')
}

/**
 * The request's headers, with the token in place of the secret. All cookies are rewritten, so that none can be read in
 * two ways.
 */
export function withTokens(headers: Headers, cookieName: string, secrets = new Map<string, string>()): Headers {
  const translated = new Headers(headers)
  const cookie = headers.get('cookie')
  if (cookie === null) return translated
  const pairs = cookie.split(';').flatMap((pair) => {
    const equals = pair.indexOf('=')
    if (equals === -1) return []
    const name = pair.slice(0, equals).trim()
    const value = pair.slice(equals + 1).trim()
    return name === cookieName ? `${name}=${tokenIn(value, secrets)}` : `${name}=${value}`
  })
  translated.set('cookie', pairs.join('; '))
  return translated
}

/** The session token in a browser's request, or null. The session may not exist. */
export function tokenInCookie(headers: Headers, cookieName: string): string | null {
  const secrets = new Map<string, string>()
  withTokens(headers, cookieName, secrets)
  const [token] = secrets.keys()
  return token ?? null
}

function tokenIn(value: string, secrets: Map<string, string>): string {
  const [secret, signature] = splitSigned(value)
  const token = tokenOf(secret)
  secrets.set(token, secret)
  return encodeURIComponent(`${token}.${signature}`)
}

function withSecrets(response: Response, cookieName: string, secrets: ReadonlyMap<string, string>): Response {
  const set = response.headers.getSetCookie()
  if (!set.some((cookie) => cookie.startsWith(`${cookieName}=`))) return response
  const headers = new Headers(response.headers)
  headers.delete('set-cookie')
  for (const cookie of set) headers.append('set-cookie', secretIn(cookie, cookieName, secrets))
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers })
}

function secretIn(cookie: string, cookieName: string, secrets: ReadonlyMap<string, string>): string {
  const [pair = '', ...attributes] = cookie.split(';')
  const value = pair.slice(cookieName.length + 1)
  // An empty value deletes the cookie in the browser.
  if (!pair.startsWith(`${cookieName}=`) || value === '') return cookie
  const [token, signature] = splitSigned(value)
  const secret = secrets.get(token)
  assert(secret !== undefined, 'a session that is begun or renewed has its secret in the request')
  return [`${cookieName}=${encodeURIComponent(`${secret}.${signature}`)}`, ...attributes].join(';')
}

/** A value that our server did not write has an invalid signature. */
function splitSigned(value: string): [signed: string, signature: string] {
  const text = decoded(value)
  const dot = text.lastIndexOf('.')
  return dot === -1 ? [text, ''] : [text.slice(0, dot), text.slice(dot + 1)]
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
