import { sessionCookieName } from '#http/plugins/session.ts'
import type { TestGateway } from '#test/setup/gateway.ts'
import { ownOrigin } from '#test/setup/sign-in.ts'

export interface AuthReply {
  status: number
  headers: Headers
  body: Record<string, unknown>
  /** The `Cookie` header of the session that the answer began, if any. */
  cookie: string | null
}

export interface AuthRequest {
  cookie?: string
  headers?: Record<string, string>
}

/** Calls of `/api/auth` as a browser on the website would make them. */
export function authClient(gateway: Pick<TestGateway, 'url'>) {
  async function call(method: 'GET' | 'POST', path: string, body: unknown, options: AuthRequest): Promise<AuthReply> {
    const reply = await fetch(`${gateway.url}/api/auth${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(method === 'POST' ? { 'content-type': 'application/json', origin: ownOrigin } : {}),
        ...(options.cookie === undefined ? {} : { cookie: options.cookie }),
        ...options.headers,
      },
      ...(method === 'POST' ? { body: JSON.stringify(body) } : {}),
    })
    const text = await reply.text()
    return { status: reply.status, headers: reply.headers, body: parse(text), cookie: sessionIn(reply.headers) }
  }
  return {
    get: (path: string, options: AuthRequest = {}) => call('GET', path, undefined, options),
    post: (path: string, body: unknown, options: AuthRequest = {}) => call('POST', path, body, options),
  }
}

/** All cookies that an answer sets, as a `Cookie` header. */
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

function parse(text: string): Record<string, unknown> {
  if (!text.startsWith('{')) return {}
  const value: unknown = JSON.parse(text)
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
