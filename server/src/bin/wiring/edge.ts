import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { Config } from '#config/config-schema.ts'
import { clientIpOf } from '#domain/access/client-ip.ts'
import { networkList } from '#domain/access/network-list.ts'
import type { GatewayError } from '#errors/gateway-error.ts'
import { accountEndpoints } from '#http/account/account-endpoints.ts'
import { chatEndpoint } from '#http/inference/chat-endpoint.ts'
import { countTokensEndpoint } from '#http/inference/count-tokens-endpoint.ts'
import { messagesEndpoint } from '#http/inference/messages-endpoint.ts'
import { responsesEndpoint } from '#http/inference/responses-endpoint.ts'
import { modelEndpoints } from '#http/models/model-endpoints.ts'
import { createServer } from '#http/server.ts'
import type { Stages } from '#pipeline/run.ts'
import { createPostgresAccount } from '#store/postgres/account/postgres-account.ts'
import type { PostgresPools } from '#store/postgres/pools.ts'
import type { Admission } from './admission.ts'
import type { Metrics } from './metrics.ts'
import type { Snapshots } from './snapshots.ts'

/** The HTTP server with all its endpoints. */
export function wireEdge(needs: {
  config: Config
  logger: Logger
  metrics: Metrics
  pools: PostgresPools
  snapshots: Snapshots
  admission: Admission
  stages: Stages
  isDraining: () => boolean
}): FastifyInstance {
  const { config, metrics, pools, snapshots, admission } = needs
  const clientIp = clientIpReader(config)
  const noteRefusal = refusalReporter(needs)
  return createServer({
    endpoints: [
      ...modelEndpoints({ catalogue: snapshots.catalogue }),
      countTokensEndpoint,
      ...accountEndpoints({ ...createPostgresAccount(pools.general), limits: config.limits }),
    ],
    inferenceEndpoints: [chatEndpoint, responsesEndpoint, messagesEndpoint],
    inference: { stages: needs.stages, clientIp, nowMs: Date.now, onRefused: noteRefusal },
    endpoint: {
      authenticate: (request, acceptsApiKeyHeader) =>
        admission.authenticate({
          authorization: request.headers.authorization,
          apiKey: acceptsApiKeyHeader ? apiKeyOf(request) : undefined,
          clientIp: clientIp(request),
          nowMs: Date.now(),
        }),
      admit: (principal) => admission.admit(principal, 'account'),
      nowMs: Date.now,
    },
    operating: {
      missing: async () => {
        const missing = needs.isDraining() ? ['draining'] : []
        await pools.general.query('SELECT 1').catch(() => missing.push('postgres'))
        return missing
      },
      metrics: () => metrics.registry.metrics(),
      mayReadMetrics: networkList(config.metrics.readers).covers,
    },
    ownOrigins: config.http.publicUrl === null ? [] : [new URL(config.http.publicUrl).origin],
    onError: noteRefusal,
  })
}

function apiKeyOf(request: FastifyRequest): string | undefined {
  const key = request.headers['x-api-key']
  return typeof key === 'string' ? key : undefined
}

function clientIpReader(config: Config): (request: FastifyRequest) => string | null {
  const edgeProxies = networkList(config.edge.proxies)
  return (request) => {
    const header = request.headers[config.edge.clientIpHeader]
    return clientIpOf({
      peerAddress: request.socket.remoteAddress,
      headerValue: typeof header === 'string' ? header : undefined,
      edgeProxies,
    })
  }
}

/** Refusals before there is anything to record: a line each, louder when they are our own fault. */
function refusalReporter({ metrics, logger }: { metrics: Metrics; logger: Logger }) {
  return (request: FastifyRequest, error: GatewayError): void => {
    metrics.refusals.inc({ error: error.errorName })
    const { errorName, inside } = error
    const event = { requestId: request.id, path: request.routeOptions.url, error: errorName, inside }
    if (error.row.status >= 500) logger.error(event, error.message)
    else logger.info(event, 'refused')
  }
}
