import type { FastifyInstance } from 'fastify'
import { GatewayError } from '#errors/gateway-error.ts'

/** The website's session. Scripts can not read it, other sites can not send it with a write, and it never goes unencrypted. */
export const sessionCookie = {
  name: 'weir_session',
  attributes: 'Path=/; HttpOnly; SameSite=Lax; Secure',
} as const

export function sessionCookieHeader(token: string, maxAgeS: number): string {
  return `${sessionCookie.name}=${token}; ${sessionCookie.attributes}; Max-Age=${maxAgeS}`
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route never looks at a session, so it does not matter who sent one along. */
    ignoresSession?: true
  }
}

/** A write that carries a session must come from a page of ours: a foreign `Origin` is refused before any handler runs. */
export function refuseForeignOrigins(server: FastifyInstance, ownOrigins: readonly string[]): void {
  server.addHook('onRequest', async (request) => {
    if (request.method === 'GET' || request.method === 'HEAD' || request.method === 'OPTIONS') return
    if (request.routeOptions.config.ignoresSession || !carriesSession(request.headers.cookie)) return
    const { origin } = request.headers
    if (origin !== undefined && (origin === `https://${request.headers.host}` || ownOrigins.includes(origin))) return
    throw new GatewayError('foreignOrigin', { message: 'This request did not come from the website itself.' })
  })
}

function carriesSession(cookie: string | undefined): boolean {
  return cookie?.split(';').some((pair) => pair.trim().startsWith(`${sessionCookie.name}=`)) ?? false
}
