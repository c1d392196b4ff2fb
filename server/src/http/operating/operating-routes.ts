import type { FastifyInstance } from 'fastify'

export interface OperatingDeps {
  /** What is missing before requests should come here; empty when nothing is. */
  missing: () => Promise<string[]>
  metrics: () => Promise<string>
}

/** For load balancers and monitoring: alive, ready, and the figures. */
export function addOperatingRoutes(server: FastifyInstance, deps: OperatingDeps): void {
  server.get('/health', async (_request, reply) => reply.type('application/json').send('{"status":"alive"}'))
  server.get('/ready', async (_request, reply) => {
    const missing = await deps.missing()
    return reply
      .code(missing.length === 0 ? 200 : 503)
      .type('application/json')
      .send(JSON.stringify({ status: missing.length === 0 ? 'ready' : 'not ready', missing }))
  })
  server.get('/metrics', async (_request, reply) => reply.type('text/plain; version=0.0.4').send(await deps.metrics()))
}
