import type { LookupFunction } from 'node:net'
import type { Logger } from 'pino'
import type { Config } from '#config/config-schema.ts'
import { rateSubject } from '#domain/access/rate-subject.ts'
import { createRetryBudget } from '#domain/routing/retry-budget.ts'
import { createPlayedUpstream, playedOrigin } from '#net/played-upstream.ts'
import { createUpstreamClient, type UpstreamClient } from '#net/upstream-client.ts'
import { createDispatch, type DispatchStage } from '#pipeline/dispatch/dispatch.ts'
import { createHealthBook } from '#pipeline/dispatch/health-book.ts'
import { createKeepAlives } from '#pipeline/dispatch/keep-alives.ts'
import type { DispatchDeps } from '#pipeline/dispatch/dispatch-deps.ts'
import type { LimitUnbilled } from '#pipeline/admit/limit-unbilled.ts'
import { createGuard } from '#pipeline/guard/guard.ts'
import { createHoldExtender } from '#pipeline/hold/extend-hold.ts'
import { createHold } from '#pipeline/hold/hold.ts'
import { createLeaseKeeper } from '#pipeline/hold/lease-keeper.ts'
import { createTripReporter } from '#pipeline/hold/trip-reporter.ts'
import { failImageEvents, imageHeartbeat } from '#dialects/images/image-events.ts'
import { purposeOf } from '#dialects/purpose-of.ts'
import { createParse } from '#pipeline/parse/parse.ts'
import { recordOf } from '#pipeline/settle/record/record.ts'
import { createReport } from '#pipeline/settle/record/report.ts'
import { sampleOf } from '#pipeline/settle/record/sample-of.ts'
import { refuseCredential } from '#pipeline/authenticate/refuse-credential.ts'
import type { MeasurementBook } from '#pipeline/route/measurement-book.ts'
import { createFreeTier, type FreeTier } from '#pipeline/route/free-tier.ts'
import { createRoute } from '#pipeline/route/route.ts'
import { createStickyBook, type StickyBook } from '#pipeline/route/sticky-book.ts'
import type { Stages } from '#pipeline/run.ts'
import { createSettle, type SettleStage } from '#pipeline/settle/settle.ts'
import type { Ticket } from '#pipeline/types.ts'
import type { AuditTrail } from '#ports/audit.ts'
import type { BreakerTrips } from '#ports/breaker-trips.ts'
import type { Money } from '#ports/money.ts'
import type { UpstreamRequest, Upstreams } from '#ports/upstream.ts'
import type { Admission } from './admission.ts'
import type { Filters } from './filters.ts'
import type { Institutions } from './institutions.ts'
import type { WiredMedia } from './media.ts'
import type { Metrics } from './metrics.ts'
import type { Outside } from './outside.ts'
import type { WiredOwnKeys } from './own-keys.ts'
import type { WiredModeration } from './moderation.ts'
import type { Snapshots } from './snapshots.ts'
import { wireUnbilled } from './unbilled.ts'
import type { WiredVideos } from './videos.ts'
import { readerContext, wireBegin } from './begin.ts'

export interface StageNeeds {
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
  measurements: MeasurementBook
  media: WiredMedia
  videos: WiredVideos
  outside: Outside
  /** For the hosts of provider accounts. */
  lookup: LookupFunction
}

export interface WiredStages {
  stages: Stages
  close(): Promise<void>
}

/** The stages of the pipeline with everything they need. */
export function wireStages(needs: StageNeeds): WiredStages {
  const { config, logger, metrics, money, snapshots, admission, filters, institutions } = needs
  const { nowMs } = needs.outside
  const leases = createLeaseKeeper({
    money,
    leaseMs: config.money.leaseMs,
    onError: (error) => logger.warn({ err: error }, 'leases could not be renewed'),
  })
  metrics.watch('weir_holds_open', 'Requests with a hold in this process.', () => leases.open)
  const unbilled = wireUnbilled({ ...needs, nowMs })
  const release = (ticket: Ticket): void => {
    leases.release(ticket.arrival.generationId)
    unbilled.release(ticket)
  }
  const settle = wireSettle(needs, { unbilled, release })
  const sticky = createStickyBook(nowMs)
  const freeTier = createFreeTier({
    freeModels: snapshots.freeModels,
    quotas: admission.freeQuotas,
    autoUnitsPerAddress: config.limits.autoFreePerAddress,
  })
  const trips = createTripReporter({
    trips: needs.breakerTrips,
    nowMs: () => performance.now(),
    onError: (error) => logger.warn({ err: error }, 'a tripped breaker could not be noted'),
  })
  const dispatching = wireDispatch(needs, { settle, sticky, freeTier, unbilled })
  return {
    stages: {
      authenticate: authenticateWith(admission),
      parse: createParse({
        catalogue: snapshots.catalogue,
        autoTables: snapshots.autoTables,
        testModels: config.testModels.enabled,
        editModel: config.media.editModel,
      }),
      admit: (principal) => admission.admit(principal, 'inference'),
      guard: createGuard({
        sessionQuotas: institutions.sessionQuotas,
        filterContent: filters.filterContent,
        moderateContent: needs.moderation.moderateContent,
      }),
      route: createRoute({
        routing: snapshots.routing,
        ownKeys: snapshots.ownKeys,
        measurements: ({ account, model }) => needs.measurements.find({ vendor: account.vendor, model: model.id }),
        sticky,
      }),
      freeTier: freeTier.apply,
      hold: unbilled.before(createHold({ money, leases, trips })),
      dispatch: needs.videos.dispatching(dispatching.dispatch, release),
      settle,
    },
    close: async () => {
      leases.stop()
      await dispatching.close()
    },
  }
}

function wireSettle(
  { logger, metrics, money, measurements, outside: { nowMs } }: StageNeeds,
  { unbilled, release }: { unbilled: LimitUnbilled; release: (ticket: Ticket) => void },
): SettleStage {
  const report = createReport({
    log: logger.isLevelEnabled('info') ? (event) => logger.info(event, 'generation') : null,
    alarm: (event, message) => logger.error(event, message),
    metrics,
    nowMs,
  })
  return createSettle({
    money,
    release,
    record: (ticket, judged) => {
      const settledAtMs = nowMs()
      const sample = sampleOf(ticket, judged, settledAtMs)
      if (sample !== null) measurements.note(sample)
      return recordOf(ticket, judged, settledAtMs)
    },
    report: (ticket, judged, settled) => {
      unbilled.notePaid(ticket, settled.cost)
      report(ticket, judged, settled)
    },
    onError: (error) => logger.warn({ err: error }, 'a hold could not be raised to its cost'),
  })
}

function authenticateWith(admission: Admission): Stages['authenticate'] {
  return async ({ authorization, apiKey, clientIp, receivedAtMs, access }) => {
    const principal = await admission.authenticate({ authorization, apiKey, clientIp, nowMs: receivedAtMs })
    refuseCredential(access, principal)
    return principal
  }
}

function wireDispatch(
  needs: StageNeeds,
  {
    settle,
    sticky,
    freeTier,
    unbilled,
  }: {
    settle: SettleStage
    sticky: StickyBook
    freeTier: FreeTier
    unbilled: LimitUnbilled
  },
): { dispatch: DispatchStage; close(): Promise<void> } {
  const { config, logger, metrics, money, admission } = needs
  const { nowMs, wait } = needs.outside
  const onError = (error: unknown): void => logger.error({ err: error }, 'a request could not be ended properly')
  const { connectTimeoutMs } = config.upstream
  const network = createUpstreamClient({ connectTimeoutMs, connectionsMax: 4_096, lookup: needs.lookup })
  const keepAlives = createKeepAlives({ everyMs: config.stream.keepAliveMs, nowMs })
  const extender = createHoldExtender({
    money,
    onError: (error) => logger.warn({ err: error }, 'a hold could not be extended'),
  })
  const upstreams = upstreamsOver(network, needs.ownKeys.upstreams)
  const failFrames: DispatchDeps['failFrames'] = (ticket, candidate, error) => {
    const { dialect } = ticket.arrival
    if (dialect.family === 'media') return dialect.failFrames(error)
    if (hasImageEvents(ticket)) return failImageEvents(error)
    return dialect.createWriter(readerContext(ticket, candidate, config)).fail(error)
  }
  const dispatch = createDispatch({
    health: createHealthBook(config.breaker, nowMs, needs.ownKeys.notes),
    retries: createRetryBudget(),
    noteAnswered: ({ plan }, { account }) => {
      if (plan.conversation !== null) sticky.note(plan.conversation, account.id)
    },
    keepAlives,
    keepAliveOf: (ticket) => (hasImageEvents(ticket) ? imageHeartbeat : ticket.arrival.dialect.keepAlive),
    begin: wireBegin({ config, upstreams, media: needs.media, freeTier, failFrames, nowMs }),
    failFrames,
    settle,
    watchOutput: (ticket, output, refused) => {
      unbilled.noteOutput(ticket, output.tokens)
      extender.watch(ticket, output, refused)
    },
    noteUnbilledCancel: (ticket, candidate) => {
      metrics.unbilledCancels.inc()
      unbilled.noteLeft(ticket, candidate)
      const { principal } = ticket
      const subject = rateSubject(principal, 'inference')
      const credential = principal.institutionSession?.id ?? principal.keyId
      admission.rates.noteUnbilledCancel(subject, credential, nowMs()).catch(onError)
    },
    onError,
    nowMs,
    wait,
  })
  const close = async (): Promise<void> => {
    keepAlives.stop()
    await network.close()
  }
  return { dispatch, close }
}

/** A conversation whose caller reads the named events of images. */
function hasImageEvents({ arrival, plan }: Ticket): boolean {
  const { dialect, wantsEvents } = arrival
  const [first] = plan.candidates
  if (dialect.family !== 'conversation' || !wantsEvents || !plan.call.stream || first === undefined) return false
  return purposeOf(plan.call, first.model, wantsEvents) === 'image'
}

/** Where an organization says whom to ask, the guard decides whether to, over connections of that key alone. */
function upstreamsOver(network: UpstreamClient, guarded: Upstreams): Upstreams {
  const played = createPlayedUpstream()
  const chosen = ({ origin, pool }: UpstreamRequest): Upstreams => {
    if (pool !== undefined) return guarded
    return origin === playedOrigin ? played : network
  }
  return { open: (request, handler) => chosen(request).open(request, handler) }
}
