import type { FastifyInstance } from 'fastify'
import { GatewayError } from '#errors/gateway-error.ts'
import { type MetricFamily, openMetrics, openMetricsType } from '#lib/open-metrics.ts'
import type { Readiness } from './readiness.ts'

/** The metrics of a process. */
export interface Figures {
  /** In the Prometheus text format. */
  text(): Promise<string>
  /** For OpenMetrics. */
  families(): Promise<readonly MetricFamily[]>
}

export interface OperatingDeps {
  readiness: () => Promise<Readiness>
  figures: Figures
  /** Metrics reveal the operator's revenue, so not every client that can reach the API may read them. */
  mayReadMetrics: (peerAddress: string) => boolean
}

/** Health, readiness and metrics, for load balancers and monitoring. */
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

/** Prometheus prefers OpenMetrics, and only this format has exemplars. */
function wantsOpenMetrics(accept: string | undefined): boolean {
  return accept?.includes('application/openmetrics-text') === true
}

/** Health and readiness, which a load balancer may have to request on the public port. */
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
