import { setTimeout as wait } from 'node:timers/promises'
import { Registry } from 'prom-client'
import type { Config } from '#config/config-schema.ts'
import { filterRuleSet } from '#domain/filters/filter-rule-set.ts'
import { keepTrace } from '#domain/tracing/propagate.ts'
import { createUpstreamClient } from '#net/upstream-client.ts'
import { createAdmit } from '#pipeline/admit/admit.ts'
import { createResilientRates } from '#pipeline/admit/resilient-rates.ts'
import { createAuthenticate } from '#pipeline/authenticate/authenticate.ts'
import { createPrincipalCache } from '#pipeline/authenticate/principal-cache.ts'
import { createPipeline, type PipelineSettings } from '#pipeline/create-pipeline.ts'
import { createBuiltInModeration } from '#pipeline/guard/built-in-moderation.ts'
import { createMeasurementStore } from '#pipeline/route/measurement-store.ts'
import type { Stages } from '#pipeline/run.ts'
import { createMemoryRates } from '#store/memory/memory-rates.ts'
import { createKeys } from '#store/postgres/identity/keys.ts'
import { createPostgresMoney } from '#store/postgres/money/postgres-money.ts'
import { createRedisRates } from '#store/redis/redis-rates.ts'
import { createRedisUnbilled } from '#store/redis/redis-unbilled.ts'
import { createSyncedUnbilled } from '#store/redis/synced-unbilled.ts'
import { gatewaySeries, type GatewaySeries } from '../wiring/metrics.ts'
import { pipelineSettings } from '../wiring/stages.ts'
import { createMemoryPool, createMemoryRedis } from './memory-engines.ts'
import { connectInMemory } from './memory-upstream.ts'
import { createLogger } from '../create-logger.ts'
import { createRehearsedSnapshots } from './rehearsed-catalogue.ts'

export interface RehearsalPipeline {
  readonly stages: Stages
  /** In a registry that nothing reads. */
  readonly metrics: GatewaySeries
  close(): Promise<void>
}

const silent = { statement: () => {}, script: () => {} }

/**
 * The stages with the settings and the code of this process. Every port ends in memory. `onFault` is called if a
 * request reaches a port that none should reach: an error thrown there could end the process.
 */
export function createRehearsalPipeline(config: Config, onFault: (error: Error) => void): RehearsalPipeline {
  const settings = pipelineSettings(config, { isTraced: false })
  const fault = (cause?: unknown): void => onFault(new Error(unexpected, { cause }))
  const metrics = gatewaySeries(new Registry())
  const { connectTimeoutMs } = config.upstream
  const upstreams = createUpstreamClient({ connectTimeoutMs, connectionsMax: 256, connect: connectInMemory })
  const { unbilled, ...engines } = createEngines({ config, settings, metrics, fault })
  const pipeline = createPipeline(
    {
      ...uncalled,
      ...engines,
      unbilled,
      ownKeyNotes: { succeeded: fault, failed: fault },
      circuits: { report: fault, stillOpen: fault },
      refusals: { note: fault },
      filterRules: { find: () => filterRuleSet([]) },
      moderation: createBuiltInModeration({ inspect: uncalled.filterEngine.inspect }),
      measurements: createMeasurementStore({
        shared: { add: async () => {}, read: async () => [] },
        nowMs: Date.now,
        onError: fault,
      }),
      snapshots: createRehearsedSnapshots(),
      sockets: { open: () => Promise.reject(new Error(unexpected)) },
      upstreams,
      propagate: keepTrace,
      keptItems: null,
      storedResponses: null,
      metrics,
      log: createLogger('gateway', config.log, { write: () => {} }),
      nowMs: Date.now,
      wait: (ms, signal) => wait(ms, undefined, { signal }),
      pause: (ms, signal) => wait(ms, undefined, { signal }),
    },
    settings,
  )
  return {
    stages: pipeline.stages,
    metrics,
    close: async () => {
      await pipeline.close()
      await unbilled.close()
      await upstreams.close()
    },
  }
}

/** The adapters of Postgres and Redis over stand-ins, composed as in `wiring/`. */
function createEngines(deps: {
  config: Config
  settings: PipelineSettings
  metrics: GatewaySeries
  fault: (cause: unknown) => void
}) {
  const { config, settings, metrics, fault } = deps
  const pool = createMemoryPool(silent)
  const redis = createMemoryRedis(silent)
  const prefix = 'weir:'
  const rates = createResilientRates({
    primary: createRedisRates({ redis, prefix }),
    fallback: createMemoryRates(),
    timeoutMs: 10_000,
    onDegraded: fault,
  })
  const cache = createPrincipalCache({ keys: createKeys(pool), clock: Date.now })
  return {
    authenticate: createAuthenticate({ cache }),
    admit: createAdmit({ rates, brake: () => ({ engaged: false }), clock: Date.now, limits: config.limits }),
    rates,
    unbilled: createSyncedUnbilled({
      announcements: () => ({ period: 1 }),
      sync: createRedisUnbilled({ redis, prefix, sender: 'warm-up' }).sync,
      rules: settings.unbilled,
      nowMs: Date.now,
    }),
    money: createPostgresMoney({
      holdPool: pool,
      settlePool: pool,
      spool: { append: fail, replay: async () => 0, waiting: 0 },
      leaseMs: config.money.leaseMs,
      holdDeadlineMs: config.money.holdDeadlineMs,
      settleDeadlineMs: config.money.settleDeadlineMs,
      onSpooled: fault,
      onBatch: ({ queue, size, ms }) => {
        metrics.batchSize.observe({ queue }, size)
        metrics.batchSeconds.observe({ queue }, ms / 1_000)
      },
    }),
  }
}

/** Ports that no rehearsed request calls. */
const uncalled = {
  freeQuotas: { ask: fail },
  sessionQuotas: { takeRequest: fail },
  filterEngine: { inspect: fail },
  evidence: { keep: fail },
  breakerTrips: { note: fail },
  endCustomers: { find: fail },
  tags: { find: fail },
  runs: { open: fail },
  judgeRunRules: fail,
  runningRuns: { watch: unexpectedly, release: unexpectedly },
  audit: { append: fail },
  authorize: fail,
  imageSource: { fetch: fail },
  imagePublisher: { host: fail },
  videoJobs: { accept: fail },
  cachedAnswers: {
    find: fail,
    claim: fail,
    read: fail,
    fill: fail,
    refuse: fail,
    forget: fail,
    renew: fail,
  },
  answers: {
    claim: fail,
    takeOver: fail,
    concludeJob: fail,
    find: fail,
    put: fail,
    read: fail,
    note: fail,
    renew: fail,
    forget: fail,
  },
}

const unexpected = 'a request of the warm-up reached a port that none should reach'

function unexpectedly(): never {
  throw new Error(unexpected)
}

async function fail(): Promise<never> {
  throw new Error(unexpected)
}
