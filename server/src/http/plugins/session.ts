import type { FastifyInstance } from 'fastify'
import { GatewayError } from '#errors/gateway-error.ts'

/** The website's session, begun and ended under `/api/auth`. */
export const sessionCookieName = 'weir_session'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route never looks at a session, so it does not matter who sent one along. */
    ignoresSession?: true
  }
}

/**
 * A write that carries a session must come from a page of ours: a foreign `Origin` is refused before any handler runs.
 */
export function refuseForeignOrigins(server: FastifyInstance, ownOrigins: readonly string[]): void {
  server.addHook('onRequest', async (request) => {
    if (request.method === 'GET' || request.method === 'HEAD' || request.method === 'OPTIONS') return
    if (request.routeOptions.config.ignoresSession || !carriesSession(request.headers.cookie)) return
    const { origin } = request.headers
    if (origin !== undefined && (origin === `https://${request.headers.host}` || ownOrigins.includes(origin))) return
    throw new GatewayError('foreignOrigin', {
      message: 'Requests with a session must come from the website itself. Use an API key instead.',
    })
  })
}

// Not parsed: whatever could be read as our cookie, however it is spelt, must be one for which the origin was looked
// at.
function carriesSession(cookie: string | undefined): boolean {
  return cookie !== undefined && anySpelling.test(cookie)
}

const anySpelling = new RegExp(`${sessionCookieName}[\\s"]*=`)
