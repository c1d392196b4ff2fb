import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { Config } from '#config/config-schema.ts'
import { clientIpOf } from '#domain/access/client-ip.ts'
import type { GatewayError } from '#errors/gateway-error.ts'
import { accountEndpoints } from '#http/account/account-endpoints.ts'
import { chatEndpoint } from '#http/inference/chat-endpoint.ts'
import { modelEndpoints } from '#http/models/model-endpoints.ts'
import { createServer } from '#http/server.ts'
import { createAdmit } from '#pipeline/admit/admit.ts'
import { createResilientRates } from '#pipeline/admit/resilient-rates.ts'
import { createAuthenticate } from '#pipeline/authenticate/authenticate.ts'
import { createPrincipalCache } from '#pipeline/authenticate/principal-cache.ts'
import { createMemoryRates } from '#store/memory/memory-rates.ts'
import { createPostgresAccount } from '#store/postgres/account/postgres-account.ts'
import { createKeys } from '#store/postgres/identity/keys.ts'
import { subscribeInvalidations } from '#store/redis/invalidations.ts'
import { createRedisClient } from '#store/redis/redis-client.ts'
import { createRedisRates } from '#store/redis/redis-rates.ts'
import { connectEngines } from './engines.ts'
import { createMetrics } from './metrics.ts'
import { keepSnapshots } from './snapshots.ts'
import { wireStages } from './stages.ts'

export interface Gateway {
  server: FastifyInstance
  /** Loads what must be in memory before the first request. */
  prepare(): Promise<void>
  /** Takes up changed routes and prices now, instead of within a second. */
  refresh(): Promise<void>
  /** Stops taking requests, lets running ones end, then closes everything. */
  drain(): Promise<void>
}

const redisTimeoutMs = 50

/** One gateway process, all parts put together by hand. */
export function wireGateway(config: Config, logger: Logger): Gateway {
  const metrics = createMetrics()
  const engines = connectEngines(config, logger, () => metrics.spooled.inc())
  const { pools } = engines
  const snapshots = keepSnapshots(config, pools, logger)
  const onRedisError = (error: Error): void => logger.debug({ err: error }, 'Redis is away')
  const redis = createRedisClient({ url: config.redis.url, commandTimeoutMs: 1_000, onError: onRedisError })
  const subscriber = createRedisClient({ url: config.redis.url, commandTimeoutMs: 5_000, onError: onRedisError })
  const cache = createPrincipalCache({ keys: createKeys(pools.general), clock: Date.now })
  subscribeInvalidations({ redis: subscriber }, cache.invalidate)
  const rates = createResilientRates({
    primary: createRedisRates({ redis }),
    fallback: createMemoryRates(),
    timeoutMs: redisTimeoutMs,
    onDegraded: (error) => {
      metrics.degraded.inc()
      logger.warn({ err: error }, 'Redis is slow or away; this process counts by itself')
    },
  })
  const authenticate = createAuthenticate({ cache })
  const admit = createAdmit({ rates, brake: snapshots.brake, clock: Date.now, limits: config.limits })
  const wired = wireStages({ config, logger, metrics, snapshots, money: engines.money, rates, authenticate, admit })
  let draining = false

  const clientIp = (request: FastifyRequest): string | null => {
    const header = request.headers[config.edge.clientIpHeader]
    return clientIpOf({
      peerAddress: request.socket.remoteAddress,
      headerValue: typeof header === 'string' ? header : undefined,
      edgeProxies: config.edge.proxies,
    })
  }
  const noteRefusal = (request: FastifyRequest, error: GatewayError): void => {
    metrics.refusals.inc({ error: error.errorName })
    const event = {
      requestId: request.id,
      path: request.routeOptions.url,
      error: error.errorName,
      inside: error.inside,
    }
    if (error.row.status >= 500) logger.error(event, error.message)
    else logger.info(event, 'refused')
  }
  metrics.watch('weir_holds_open', 'Requests with a hold in this process.', () => wired.leases.open)
  metrics.watch(
    'weir_lane_depth',
    'Holds and settles waiting or in flight.',
    () => engines.money.depth.holds + engines.money.depth.settles,
  )
  metrics.watch('weir_spool_waiting', 'Settles in the local spool.', () => engines.spool.waiting)
  metrics.watch('weir_admission_degraded', '1 while this process counts requests by itself.', () =>
    rates.degraded ? 1 : 0,
  )

  const server = createServer({
    endpoints: [
      ...modelEndpoints({ catalogue: snapshots.catalogue }),
      ...accountEndpoints({ ...createPostgresAccount(pools.general), limits: config.limits }),
    ],
    inferenceEndpoints: [{ ...chatEndpoint, dialect: 'chat' }],
    inference: {
      stages: wired.stages,
      clientIp,
      nowMs: Date.now,
      onRefused: (request, _generationId, error) => noteRefusal(request, error),
    },
    endpoint: {
      authenticate: (request) =>
        authenticate({ authorization: request.headers.authorization, clientIp: clientIp(request), nowMs: Date.now() }),
      admit: (principal) => admit(principal, 'account'),
      nowMs: Date.now,
    },
    operating: {
      missing: async () => {
        const missing: string[] = []
        if (draining) missing.push('draining')
        await pools.general.query('SELECT 1').catch(() => missing.push('postgres'))
        return missing
      },
      metrics: () => metrics.registry.metrics(),
    },
    ownOrigins: config.http.publicUrl === null ? [] : [new URL(config.http.publicUrl).origin],
    onError: noteRefusal,
  })

  return {
    server,
    prepare: async () => {
      await engines.spool
        .replay()
        .catch((error: unknown) => logger.warn({ err: error }, 'the spool waits for Postgres'))
      await snapshots.refresh()
    },
    refresh: snapshots.refresh,
    drain: async () => {
      draining = true
      await server.close()
      snapshots.stop()
      await wired.close()
      redis.disconnect()
      subscriber.disconnect()
      await engines.close()
    },
  }
}
