import type { LookupFunction } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Config } from '#config/config-schema.ts'
import { parseUsd } from '#domain/money/nano-usd.ts'
import { SessionCounts } from '#http/realtime/session-counts.ts'
import { chooseUpstreams } from '#net/choose-upstreams.ts'
import { createPlayedUpstream } from '#net/played-upstream.ts'
import { createSockets } from '#net/sockets.ts'
import type { Tracing } from '#net/tracing/choose-tracing.ts'
import { createUpstreamClient } from '#net/upstream-client.ts'
import { createPipeline, type Pipeline, type PipelineSettings } from '#pipeline/create-pipeline.ts'
import type { CircuitReporter } from '#pipeline/dispatch/choose/report-circuit.ts'
import type { MeasurementStore } from '#pipeline/route/measurement-store.ts'
import type { Stages } from '#pipeline/run.ts'
import type { AuditTrail } from '#ports/audit.ts'
import type { BreakerTrips } from '#ports/organization-rules.ts'
import type { Money } from '#ports/money.ts'
import type { Refusals } from '#ports/refusals.ts'
import type { StoredResponses } from '#ports/stored-responses.ts'
import { createAnswers } from '#store/postgres/answers/postgres-answers.ts'
import { createCachedAnswers } from '#store/postgres/cached-answers/postgres-cached-answers.ts'
import { chooseStoredResponses } from '#store/postgres/stored-responses/postgres-stored-responses.ts'
import type { PostgresPools } from '#store/postgres/pools.ts'
import { creditsUrlOf } from '../payment-offer.ts'
import { sealingKeyOf } from '../sealing-key.ts'
import type { Admission } from './admission.ts'
import { wireAuthorize } from './authorize.ts'
import type { Filters } from './filters.ts'
import type { Institutions } from './institutions.ts'
import { wireKeptItems } from './kept-items.ts'
import type { WiredMedia } from './media.ts'
import type { Metrics } from './metrics.ts'
import type { WiredModeration } from './moderation.ts'
import type { Outside } from './outside.ts'
import type { WiredOwnKeys } from './own-keys.ts'
import type { WiredRedis } from './redis.ts'
import type { Snapshots } from './snapshots.ts'
import type { WiredStorage } from './storage.ts'
import type { WiredVideos } from './videos.ts'

interface StageDeps {
  config: Config
  logger: Logger
  metrics: Metrics
  snapshots: Snapshots
  money: Money
  breakerTrips: BreakerTrips
  auditTrail: AuditTrail
  admission: Admission
  filters: Filters
  moderation: WiredModeration
  institutions: Institutions
  ownKeys: WiredOwnKeys
  circuits: CircuitReporter
  refusals: Refusals
  measurements: MeasurementStore
  media: WiredMedia
  videos: WiredVideos
  redis: WiredRedis
  pools: Pick<PostgresPools, 'general'>
  storage: Pick<WiredStorage, 'blobs'>
  tracing: Tracing
  outside: Outside
  /** Resolves the hosts of provider accounts. */
  lookup: LookupFunction
}

/** What the endpoints of stored responses use. */
export interface StoredResponseWays {
  readonly responses: StoredResponses | null
  readonly stopBackground: Pipeline['stopBackground']
}

interface WiredStages {
  served: {
    stages: Stages
    quoting: Pipeline['quoting']
    stored: StoredResponseWays
    realtime: Pipeline['realtime']
    /** The open realtime sessions, which end before the server closes. */
    realtimeSessions: SessionCounts
  }
  close(): Promise<void>
}

/** The pipeline stages of this process. */
export function wireStages(deps: StageDeps): WiredStages {
  const { config, metrics, snapshots, admission, filters, moderation, media, lookup } = deps
  const { nowMs, wait } = deps.outside
  const { connectTimeoutMs } = config.upstream
  // Allows as many connections to one provider as there can be clients, so that no request has to wait for another
  // request's connection.
  const network = createUpstreamClient({ connectTimeoutMs, connectionsMax: config.http.connectionsMax, lookup })
  const keptItems = wireKeptItems(deps)
  const storedResponses = wireStoredResponses(deps)
  const pipeline = createPipeline(
    {
      authenticate: admission.authenticate,
      admit: admission.admit,
      rates: admission.rates,
      unbilled: admission.unbilled,
      freeQuotas: admission.freeQuotas,
      sessionQuotas: deps.institutions.sessionQuotas,
      filterRules: filters.rules,
      filterEngine: filters.engine,
      moderation: moderation.moderation,
      evidence: moderation.evidence,
      money: deps.money,
      breakerTrips: deps.breakerTrips,
      audit: deps.auditTrail,
      measurements: deps.measurements,
      snapshots,
      upstreams: chooseUpstreams({ network, guarded: deps.ownKeys.upstreams, played: createPlayedUpstream() }),
      sockets: createSockets({ lookup, connectTimeoutMs, messageBytesMax: config.stream.frameBytesMax }),
      authorize: wireAuthorize({ config, logger: deps.logger, network, nowMs }),
      imageSource: media.source,
      imagePublisher: media.host,
      videoJobs: deps.videos.jobs,
      keptItems: keptItems.items,
      storedResponses,
      ownKeyNotes: deps.ownKeys.notes,
      circuits: deps.circuits,
      refusals: deps.refusals,
      ...wireAnswers(deps),
      endCustomers: admission.endCustomers.cache,
      tags: admission.tags,
      runs: admission.runs.cache,
      judgeRunRules: admission.judgeRunRules,
      runningRuns: admission.runs.running,
      propagate: deps.tracing.propagate,
      metrics,
      log: deps.logger,
      nowMs,
      wait,
      pause: (ms, signal) => setTimeout(ms, undefined, { signal }),
    },
    pipelineSettings(config, { isTraced: deps.tracing.tracer !== null }),
  )
  metrics.watch('weir_holds_open', 'Holds placed by this process that are still open.', () => pipeline.holdsOpen)
  metrics.watch('weir_run_requests', 'Requests of runs in progress in this process.', () => admission.runs.running.size)
  metrics.watchCircuits(pipeline.circuits)
  const realtimeSessions = new SessionCounts(config.realtime)
  metrics.watch('weir_realtime_sessions', 'Open realtime sessions.', () => realtimeSessions.size)
  return {
    served: {
      stages: pipeline.stages,
      quoting: pipeline.quoting,
      stored: { responses: storedResponses, stopBackground: pipeline.stopBackground },
      realtime: pipeline.realtime,
      realtimeSessions,
    },
    close: async () => {
      await pipeline.close()
      keptItems.close()
      await network.close()
    },
  }
}

/** The responses that clients asked to store. */
function wireStoredResponses({ config, pools, storage }: Pick<StageDeps, 'config' | 'pools' | 'storage'>) {
  const { retentionMs: keptMs, bytesPerWallet: walletBytesMax, leaseMs } = config.responses
  const stored = { pool: pools.general, blobs: storage.blobs, sealingKey: sealingKeyOf(config) }
  return chooseStoredResponses({ ...stored, keptMs, walletBytesMax, leaseMs })
}

/** The stored answers of retries and of the response cache. */
function wireAnswers({ config, pools, storage }: Pick<StageDeps, 'config' | 'pools' | 'storage'>) {
  const stored = { pool: pools.general, blobs: storage.blobs, sealingKey: sealingKeyOf(config) }
  return {
    answers: createAnswers({ ...stored, leaseMs: config.retries.leaseMs }),
    cachedAnswers: createCachedAnswers({ ...stored, leaseMs: config.cache.leaseMs }),
  }
}

export function pipelineSettings(config: Config, { isTraced }: { isTraced: boolean }): PipelineSettings {
  const { limits, moderation, stream } = config
  return {
    testModels: config.testModels.enabled,
    editModel: config.media.editModel,
    autoFreePerAddress: limits.autoFreePerAddress,
    unbilled: { allowance: parseUsd(limits.unbilledUsd), percent: limits.unbilledPercent },
    moderation: { whenDown: moderation.whenDown, evidenceDays: moderation.evidenceDays },
    leaseMs: config.money.leaseMs,
    cache: config.cache,
    retryLeaseMs: config.retries.leaseMs,
    answerBytesMax: config.retries.answerBytesMax,
    itemRetentionMs: config.responses.itemRetentionMs,
    responses: config.responses,
    conversationBytesMax: config.bodies.conversationBytesMax,
    creditsUrl: creditsUrlOf(config),
    upstream: config.upstream,
    breaker: config.breaker,
    keepAliveMs: stream.keepAliveMs,
    frameBytesMax: stream.frameBytesMax,
    videoDeadlineMs: config.video.deadlineMs,
    isTraced,
  }
}
