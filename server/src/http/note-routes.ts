import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyRequest {
    /** The path of the matched route, as it was declared; null for an unknown path. */
    routePath: string | null
  }
}

/** Must be the first hook. Fastify creates `routeOptions` anew for every access, so a request reads it only once. */
export function noteRoutes(server: FastifyInstance): void {
  server.decorateRequest('routePath', null)
  server.addHook('onRequest', (request, _reply, done) => {
    request.routePath = request.routeOptions.url ?? null
    done()
  })
}
