import { createHash } from 'node:crypto'
import type { Redis } from 'ioredis'
import { createMemoryPool, createMemoryRedis, type EngineWatch } from '#bin/warm-up/memory-engines.ts'
import { createMetrics } from '#bin/wiring/metrics.ts'
import { createLogger } from '#bin/create-logger.ts'
import { buildCatalogue } from '#domain/catalogue/catalogue.ts'
import type { Model } from '#domain/catalogue/model.ts'
import { filterRuleSet } from '#domain/filters/filter-rule-set.ts'
import { parseUsd } from '#domain/money/nano-usd.ts'
import { type PriceList, parseUnitPrices } from '#domain/money/price-list.ts'
import { emptyAutoTables } from '#domain/routing/auto/auto-tables.ts'
import { noFreeModels } from '#domain/routing/free-models.ts'
import { emptyOwnKeyStore } from '#domain/routing/own-keys.ts'
import type { ProviderAccount } from '#domain/routing/routing-table.ts'
import { keepTrace } from '#domain/tracing/propagate.ts'
import { loadTokenCounter } from '#lib/token-counter.ts'
import { createAdmit } from '#pipeline/admit/admit.ts'
import { createResilientRates } from '#pipeline/admit/resilient-rates.ts'
import { createWithFallback } from '#pipeline/admit/with-fallback.ts'
import { createAuthenticate } from '#pipeline/authenticate/authenticate.ts'
import { createPrincipalCache } from '#pipeline/authenticate/principal-cache.ts'
import { createPipeline, type Pipeline } from '#pipeline/create-pipeline.ts'
import { createBuiltInModeration } from '#pipeline/guard/built-in-moderation.ts'
import { createRunningRuns } from '#pipeline/running-runs.ts'
import { createMeasurementStore } from '#pipeline/route/measurement-store.ts'
import type { Unbilled } from '#ports/shared-counts.ts'
import type { Upstreams } from '#ports/upstream.ts'
import { createMemoryRates } from '#store/memory/memory-rates.ts'
import { createPostgresMoney } from '#store/postgres/money/postgres-money.ts'
import { createRedisRates } from '#store/redis/redis-rates.ts'
import { createRedisUnbilled } from '#store/redis/redis-unbilled.ts'
import { createSyncedUnbilled } from '#store/redis/synced-unbilled.ts'
import { makePrincipal } from '#test/identity/make-principal.ts'

const price: PriceList = {
  id: '01890000-0000-7000-8000-000000000001',
  base: parseUnitPrices({ prompt: '0.00000016', completion: '0.00000064' }),
  tiers: [],
}

const account: ProviderAccount = {
  id: '01890000-0000-7000-8000-000000000002',
  name: 'openai',
  vendor: 'openai',
  baseUrl: 'http://127.0.0.1:9/v1',
  credential: 'sk-mock',
  keepsPrompts: false,
  weight: 1,
}

/** API keys of 16 people who have credit. */
export const secrets = Array.from({ length: 16 }, (_, index) => `sk-weir-${sha256(String(index)).slice(0, 40)}`)

/** The pipeline with its store adapters, over engines that exist only in memory. */
export async function createMemoryWorld(upstreams: Upstreams): Promise<MemoryWorld> {
  await loadTokenCounter()
  const calls: EngineCalls = { statements: 0, scripts: 0 }
  const watch: EngineWatch = {
    statement: () => {
      calls.statements += 1
    },
    script: () => {
      calls.scripts += 1
    },
  }
  return { pipeline: createPipeline(createPorts(watch, upstreams) as never, settings), calls }
}

/** Number of calls to the engines. */
interface EngineCalls {
  statements: number
  scripts: number
}

export interface MemoryWorld {
  readonly pipeline: Pipeline
  /** Call counts, which grow with every request. */
  readonly calls: Readonly<EngineCalls>
}

const settings: Parameters<typeof createPipeline>[1] = {
  testModels: false,
  editModel: '',
  autoFreePerAddress: 1,
  unbilled: { allowance: parseUsd('1'), percent: 10 },
  moderation: { whenDown: 'refuse', evidenceDays: 1 },
  leaseMs: 60_000,
  itemRetentionMs: 1,
  responses: { storeByDefault: false, backgroundMax: 1, leaseMs: 1 },
  conversationBytesMax: 10_485_760,
  cache: {
    ttlSeconds: 60,
    ttlSecondsMax: 60,
    answerBytesMax: 1_024,
    walletBytesMax: 1_024,
    hitPricePercent: 0,
    leaseMs: 60_000,
    joinMs: 1_000,
  },
  retryLeaseMs: 60_000,
  answerBytesMax: 1_024,
  creditsUrl: null,
  upstream: {
    connectTimeoutMs: 5_000,
    firstByteTimeoutMs: 60_000,
    answerTimeoutMs: 600_000,
    idleTimeoutMs: 60_000,
  },
  breaker: { failures: 5, openMs: 1_000 },
  keepAliveMs: 15_000,
  frameBytesMax: 1_000_000,
  videoDeadlineMs: 1,
  isTraced: false,
}

function createPorts(watch: EngineWatch, upstreams: Upstreams) {
  const redis = createMemoryRedis(watch)
  const metrics = createMetrics()
  const rates = createResilientRates({
    primary: createRedisRates({ redis, prefix: 'weir:' }),
    fallback: createMemoryRates(),
    timeoutMs: 10_000,
    onDegraded: fail,
  })
  return {
    ...callsNothing,
    authenticate: createAuthenticate({ cache: cachedPrincipals() }),
    admit: createAdmit({ rates, brake: () => ({ engaged: false }) as never, clock: Date.now }),
    rates,
    unbilled: createUnbilled(redis),
    filterRules: { find: () => filterRuleSet([]) },
    moderation: createBuiltInModeration({ inspect: unused }),
    money: createPostgresMoney({
      holdPool: createMemoryPool(watch),
      settlePool: createMemoryPool(watch),
      spool: { append: unused } as never,
      leaseMs: 60_000,
      holdDeadlineMs: 5_000,
      settleDeadlineMs: 5_000,
      onSpooled: fail,
      onBatch: ({ queue, size, ms }) => {
        metrics.batchSize.observe({ queue }, size)
        metrics.batchSeconds.observe({ queue }, ms / 1_000)
      },
    }),
    measurements: createMeasurementStore({
      shared: { add: async () => {}, read: async () => [] },
      nowMs: Date.now,
      onError: fail,
    }),
    snapshots: createSnapshots(),
    sockets: {},
    upstreams,
    propagate: keepTrace,
    keptItems: null,
    storedResponses: null,
    runningRuns: createRunningRuns(),
    metrics,
    log: createLogger('gateway', { level: 'info', format: 'json' }, { write: () => {} }),
    nowMs: Date.now,
  }
}

function createSnapshots() {
  const catalogue = buildCatalogue(1, [chatModel(), embeddingModel()])
  const routing = { revision: 1, accounts: [account], routes: new Map() }
  return {
    catalogue: () => catalogue,
    autoTables: () => emptyAutoTables,
    routing: () => routing,
    ownKeys: () => emptyOwnKeyStore,
    freeModels: () => noFreeModels,
  }
}

function cachedPrincipals() {
  const principals = new Map(secrets.map((secret) => [sha256(secret), makePrincipal({ balance: parseUsd('1000') })]))
  const findPrincipal = async (hash: string) => principals.get(hash) ?? null
  return createPrincipalCache({ keys: { findPrincipal } as never, clock: Date.now })
}

/** Ports that the counted requests never call. */
const callsNothing = {
  freeQuotas: { ask: unused },
  sessionQuotas: { takeRequest: unused },
  filterEngine: { inspect: unused },
  evidence: { keep: unused },
  breakerTrips: { note: unused },
  audit: { append: unused },
  authorize: unused,
  imageSource: { fetch: unused },
  imagePublisher: { host: unused },
  videoJobs: { accept: unused },
  cachedAnswers: {
    find: unused,
    claim: unused,
    read: unused,
    fill: unused,
    refuse: unused,
    forget: unused,
    renew: unused,
  },
  answers: {
    claim: unused,
    takeOver: unused,
    concludeJob: unused,
    find: unused,
    put: unused,
    read: unused,
    note: unused,
    renew: unused,
    forget: unused,
  },
  ownKeyNotes: { succeeded: unused, failed: unused },
  circuits: { report: unused, stillOpen: unused },
  refusals: { note: unused },
  wait: unused,
  pause: unused,
}

/** As `bin/wiring/counters.ts` composes them. */
function createUnbilled(redis: Redis): Unbilled {
  const shared = createRedisUnbilled({ redis, prefix: 'weir:', sender: 'counters' })
  const counter = createWithFallback({ primary: shared, fallback: shared, timeoutMs: 10_000, onDegraded: fail })
  const unbilled = createSyncedUnbilled({
    announcements: () => ({ period: 1 }),
    sync: (subject, changes, atMs) => counter.ask(atMs, ({ sync }) => sync(subject, changes, atMs)),
    rules: { allowance: parseUsd('1000'), percent: 10 },
    nowMs: () => 0,
    // Changes are never sent: one message per wallet every 100 ms would fall into some rounds and not into others.
    timers: { nowMs: () => 0, after: () => ({ cancel: () => {}, unref: () => {} }) },
  })
  // A clock that stands still: the sums stay known.
  return { add: (subject, change) => unbilled.add(subject, change, 0) }
}

function chatModel(): Model {
  return {
    ...embeddingModel(),
    id: 'openai/gpt-4o-mini',
    kind: 'chat',
    inputModalities: ['text', 'image'],
    outputModalities: ['text'],
    supportedParameters: ['frequency_penalty', 'logprobs', 'max_tokens', 'temperature', 'tools', 'top_p'],
    upstreamModel: 'gpt-4o-mini',
    offers: ['openai', 'azure', 'openrouter'].map((provider) => offerOf(provider, 'gpt-4o-mini')),
  }
}

function embeddingModel(): Model {
  return {
    id: 'openai/text-embedding-3-small',
    name: 'A model',
    author: 'openai',
    kind: 'embedding',
    description: null,
    contextLength: 128_000,
    maxCompletionTokens: 16_384,
    inputModalities: ['text'],
    outputModalities: ['embeddings'],
    supportedParameters: [],
    defaultProvider: 'openai',
    upstreamModel: 'text-embedding-3-small',
    aliases: [],
    releasedAtMs: null,
    retiresAtMs: null,
    listed: true,
    details: {},
    price,
    offers: [offerOf('openai', 'text-embedding-3-small')],
  }
}

function offerOf(provider: string, upstreamModel: string): Model['offers'][number] {
  return {
    provider,
    variant: '',
    upstreamModel,
    contextLength: 128_000,
    maxCompletionTokens: 16_384,
    quantization: null,
    price,
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function unused(): never {
  throw new Error('no request of the counters needs this')
}

function fail(error: unknown): never {
  throw error
}
