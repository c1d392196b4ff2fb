import type { FastifyInstance } from 'fastify'
import { GatewayError } from '#errors/gateway-error.ts'
import { type MetricFamily, openMetrics, openMetricsType } from '#lib/open-metrics.ts'
import type { Readiness } from './readiness.ts'

/** What a process counts. */
export interface Figures {
  /** In the usual format of Prometheus. */
  text(): Promise<string>
  /** For OpenMetrics. */
  families(): Promise<readonly MetricFamily[]>
}

export interface OperatingDeps {
  readiness: () => Promise<Readiness>
  figures: Figures
  /** Figures show turnover: not everybody who can reach the API may see them. */
  mayReadMetrics: (peerAddress: string) => boolean
}

/** For load balancers and monitoring: alive, ready, and the figures. */
export function addOperatingRoutes(server: FastifyInstance, deps: OperatingDeps): void {
  addProbes(server, deps.readiness)
  server.get('/metrics', async (request, reply) => {
    if (!deps.mayReadMetrics(request.socket.remoteAddress ?? '')) {
      throw new GatewayError('notFound', { message: 'No route for GET /metrics.' })
    }
    if (!wantsOpenMetrics(request.headers.accept)) {
      return reply.type('text/plain; version=0.0.4').send(await deps.figures.text())
    }
    return reply.type(openMetricsType).send(openMetrics(await deps.figures.families()))
  })
}

/** Prometheus asks for it first; only this format has exemplars. */
function wantsOpenMetrics(accept: string | undefined): boolean {
  return accept?.includes('application/openmetrics-text') === true
}

/** Alive and ready: what a balancer may have to ask where the public asks too. */
export function addProbes(server: FastifyInstance, readinessOf: OperatingDeps['readiness']): void {
  server.get('/health', async (_request, reply) => reply.type('application/json').send('{"status":"alive"}'))
  server.get('/ready', async (_request, reply) => {
    const readiness = await readinessOf()
    const isReady = readiness.missing.length === 0
    return reply
      .code(isReady ? 200 : 503)
      .type('application/json')
      .send(JSON.stringify({ status: isReady ? 'ready' : 'not ready', ...readiness }))
  })
}
