import { type JsonObject, parseJsonObject } from '#lib/json.ts'
import { sessionCookieName } from '#test/setup/session-cookie.ts'
import { createClient } from '#test/setup/client.ts'
import type { TestGateway } from '#test/setup/gateway.ts'
import { ownOrigin } from '#test/setup/own-origin.ts'
import type { Reply } from '#test/setup/reply.ts'

export interface AuthReply {
  status: number
  headers: Headers
  body: JsonObject
  /** The `Cookie` header of the new session, if any. */
  cookie: string | null
}

export interface AuthRequest {
  cookie?: string
  headers?: Record<string, string>
}

/** Calls `/api/auth` like a browser on the console. */
export function authClient(gateway: Pick<TestGateway, 'url'>) {
  const as = (cookie: string | undefined) =>
    createClient(`${gateway.url}/api/auth`, cookie === undefined ? undefined : { cookie })
  return {
    get: async (path: string, { cookie, headers }: AuthRequest = {}) =>
      authReplyOf(await as(cookie).get(path, { headers })),
    // A page also sends its origin before there is a session.
    post: async (path: string, body: object, { cookie, headers }: AuthRequest = {}) =>
      authReplyOf(await as(cookie).post(path, body, { headers: { origin: ownOrigin, ...headers } })),
  }
}

/** Without a session, the response body is `null`, which reads as empty here. */
function authReplyOf({ status, headers, text }: Reply): AuthReply {
  return { status, headers, body: parseJsonObject(text) ?? {}, cookie: sessionIn(headers) }
}

/** All cookies that a response sets, as a `Cookie` header. */
export function cookiesIn(headers: Headers): string {
  return headers
    .getSetCookie()
    .map((text) => text.split(';')[0])
    .join('; ')
}

function sessionIn(headers: Headers): string | null {
  const pair = headers.getSetCookie().findLast((text) => text.startsWith(`${sessionCookieName}=`))
  const [cookie = ''] = pair?.split(';') ?? []
  return cookie === '' || cookie === `${sessionCookieName}=` ? null : cookie
}
