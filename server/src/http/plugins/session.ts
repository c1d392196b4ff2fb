import type { FastifyInstance } from 'fastify'
import { GatewayError } from '#errors/gateway-error.ts'

/** The website's session, created and ended under `/api/auth`. */
export const sessionCookieName = 'weir_session'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route never reads a session, so it accepts requests with one from any origin. */
    ignoresSession?: true
  }
}

/** A write with a session must come from our own page: a foreign `Origin` is rejected before any handler runs. */
export function refuseForeignOrigins(server: FastifyInstance, ownOrigins: readonly string[]): void {
  server.addHook('onRequest', (request, _reply, done) => {
    if (request.method === 'GET' || request.method === 'HEAD' || request.method === 'OPTIONS') return done()
    if (!carriesSession(request.headers.cookie) || request.routeOptions.config.ignoresSession) return done()
    const { origin } = request.headers
    if (origin !== undefined && (origin === `https://${request.headers.host}` || ownOrigins.includes(origin))) {
      return done()
    }
    throw new GatewayError('foreignOrigin', {
      message: 'Requests with a session must come from the website itself. Use an API key instead.',
    })
  })
}

// The cookie header is not parsed: any spelling that could be read as our cookie must trigger the origin check.
function carriesSession(cookie: string | undefined): boolean {
  return cookie !== undefined && anySpelling.test(cookie)
}

const anySpelling = new RegExp(`${sessionCookieName}[\\s"]*=`)
