import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Config } from '#config/config-schema.ts'
import { rateSubject } from '#domain/access/rate-subject.ts'
import type { UsageClasses } from '#domain/inference/usage.ts'
import { publicGenerationId } from '#domain/ledger/generation-id.ts'
import { chargeFor } from '#domain/money/charge.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import { isPriced } from '#domain/money/price-list.ts'
import { createRetryBudget } from '#domain/routing/retry-budget.ts'
import type { Candidate } from '#domain/routing/candidates.ts'
import { assert } from '#lib/assert.ts'
import { objectAt } from '#lib/json.ts'
import { createPlayedUpstream, playedOrigin } from '#net/played-upstream.ts'
import { signingRegionOf, signRequest } from '#net/sign-request.ts'
import { createUpstreamClient, type UpstreamClient } from '#net/upstream-client.ts'
import { createDispatch, type DispatchStage } from '#pipeline/dispatch/dispatch.ts'
import { createHealthBook } from '#pipeline/dispatch/health-book.ts'
import { createKeepAlives } from '#pipeline/dispatch/keep-alives.ts'
import { prepareRequest } from '#pipeline/dispatch/prepare-request.ts'
import { createGuard } from '#pipeline/guard/guard.ts'
import { createHoldExtender } from '#pipeline/hold/extend-hold.ts'
import { createHold } from '#pipeline/hold/hold.ts'
import { createLeaseKeeper } from '#pipeline/hold/lease-keeper.ts'
import { createTripReporter } from '#pipeline/hold/trip-reporter.ts'
import { chooseReader } from '#pipeline/normalise/choose-reader.ts'
import { createParse } from '#pipeline/parse/parse.ts'
import { recordOf } from '#pipeline/record/record.ts'
import { createReport } from '#pipeline/record/report.ts'
import { sampleOf } from '#pipeline/record/sample-of.ts'
import type { MeasurementBook } from '#pipeline/route/measurement-book.ts'
import { createFreeTier, type FreeTier } from '#pipeline/route/free-tier.ts'
import { holdFor } from '#pipeline/route/plan-for.ts'
import { createRoute } from '#pipeline/route/route.ts'
import { createStickyBook, type StickyBook } from '#pipeline/route/sticky-book.ts'
import type { Stages } from '#pipeline/run.ts'
import { createSettle, type SettleStage } from '#pipeline/settle/settle.ts'
import type { Ticket } from '#pipeline/types.ts'
import type { BreakerTrips } from '#ports/breaker-trips.ts'
import type { Money } from '#ports/money.ts'
import type { UpstreamRequest, Upstreams } from '#ports/upstream.ts'
import { openAiHost } from '#providers/protocols/openai/openai-host.ts'
import { protocolOf } from '#providers/protocols.ts'
import { findAnyVendor } from '#providers/own-key-vendor.ts'
import type { VendorSpec } from '#providers/spec.ts'
import type { Admission } from './admission.ts'
import type { Filters } from './filters.ts'
import type { Institutions } from './institutions.ts'
import type { Metrics } from './metrics.ts'
import type { WiredOwnKeys } from './own-keys.ts'
import type { WiredModeration } from './moderation.ts'
import type { Snapshots } from './snapshots.ts'

export interface StageNeeds {
  config: Config
  logger: Logger
  metrics: Metrics
  snapshots: Snapshots
  money: Money
  breakerTrips: BreakerTrips
  admission: Admission
  filters: Filters
  moderation: WiredModeration
  institutions: Institutions
  ownKeys: WiredOwnKeys
  measurements: MeasurementBook
}

export interface WiredStages {
  stages: Stages
  close(): Promise<void>
}

/** The stages of the pipeline with everything they need. */
export function wireStages(needs: StageNeeds): WiredStages {
  const { config, logger, metrics, money, snapshots, admission, filters, institutions } = needs
  const leases = createLeaseKeeper({
    money,
    leaseMs: config.money.leaseMs,
    onError: (error) => logger.warn({ err: error }, 'leases could not be renewed'),
  })
  metrics.watch('weir_holds_open', 'Requests with a hold in this process.', () => leases.open)
  const settle = createSettle({
    money,
    release: (ticket) => leases.release(ticket.arrival.generationId),
    record: (ticket, judged) => {
      const nowMs = Date.now()
      const sample = sampleOf(ticket, judged, nowMs)
      if (sample !== null) needs.measurements.note(sample)
      return recordOf(ticket, judged, nowMs)
    },
    report: createReport({
      log: logger.isLevelEnabled('info') ? (event) => logger.info(event, 'generation') : null,
      metrics,
      nowMs: Date.now,
    }),
  })
  const sticky = createStickyBook(Date.now)
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
  const dispatching = wireDispatch(needs, settle, sticky, freeTier)
  return {
    stages: {
      authenticate: ({ authorization, apiKey, clientIp, receivedAtMs }) =>
        admission.authenticate({ authorization, apiKey, clientIp, nowMs: receivedAtMs }),
      parse: createParse({
        catalogue: snapshots.catalogue,
        autoTables: snapshots.autoTables,
        testModels: config.testModels.enabled,
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
      hold: createHold({ money, leases, trips }),
      dispatch: dispatching.dispatch,
      settle,
    },
    close: async () => {
      leases.stop()
      await dispatching.close()
    },
  }
}

function wireDispatch(
  needs: StageNeeds,
  settle: SettleStage,
  sticky: StickyBook,
  freeTier: FreeTier,
): { dispatch: DispatchStage; close(): Promise<void> } {
  const { config, logger, metrics, money, admission } = needs
  const nowMs = Date.now
  const onError = (error: unknown): void => logger.error({ err: error }, 'a request could not be ended properly')
  const network = createUpstreamClient({ connectTimeoutMs: config.upstream.connectTimeoutMs, connectionsMax: 4_096 })
  const keepAlives = createKeepAlives({ everyMs: config.stream.keepAliveMs, nowMs })
  const extender = createHoldExtender({
    money,
    amountFor: (ticket, tokens) => holdFor(ticket.plan.candidates, ticket.plan.call, tokens),
    onError: (error) => logger.warn({ err: error }, 'a hold could not be extended'),
  })
  const dispatch = createDispatch({
    upstreams: upstreamsOver(network, needs.ownKeys.upstreams),
    health: createHealthBook(config.breaker, nowMs, needs.ownKeys.notes),
    retries: createRetryBudget(),
    noteAnswered: ({ plan }, { account }) => {
      if (plan.conversation !== null) sticky.note(plan.conversation, account.id)
    },
    keepAlives,
    prepare: (ticket, candidate) => {
      const prepare = () => prepareRequest(ticket, candidate, { vendorOf, timeouts: config.upstream, sign })
      return freeTier.isUncounted(ticket.plan, candidate)
        ? freeTier.countFallback(ticket, candidate).then(prepare)
        : prepare()
    },
    makeReader: (ticket, candidate, contentType, listener) => {
      const vendor = vendorOf(candidate)
      const pair = { dialect: ticket.arrival.dialect, protocol: protocolOf(vendor), vendor }
      const wants = { stream: ticket.plan.call.stream, contentType }
      return chooseReader(readerContext(ticket, candidate, config), pair, wants, listener)
    },
    readFailure: (candidate) => protocolOf(vendorOf(candidate)).readFailure,
    failFrames: (ticket, candidate, error) =>
      ticket.arrival.dialect.createWriter(readerContext(ticket, candidate, config)).fail(error),
    settle,
    watchOutput: extender.watch,
    noteUnbilledCancel: (ticket) => {
      metrics.unbilledCancels.inc()
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

/** Test models speak chat completions. */
const playedVendor: VendorSpec = openAiHost({
  slug: 'test',
  name: 'Test models',
  baseUrl: 'http://played.invalid',
  authentication: { kind: 'optional-bearer' },
  quirks: { streamUsage: 'always' },
})

function vendorOf(candidate: Candidate): VendorSpec {
  if (candidate.account.vendor === 'test') return playedVendor
  const vendor = findAnyVendor(candidate.account.vendor)
  assert(vendor !== undefined, `the vendor ${candidate.account.vendor} of a provider account is registered`)
  return vendor
}

async function sign(request: UpstreamRequest, credential: string | null, vendor: VendorSpec): Promise<UpstreamRequest> {
  if (credential === null || vendor.authentication.kind !== 'sigv4') return request
  const { service } = vendor.authentication
  const region = signingRegionOf(request.origin, credential)
  return signRequest(request, credential, { service, region, nowMs: Date.now() })
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

/** What the provider bills the organization itself, by our list; null where the list has no price. */
function upstreamCostOf({ price }: Candidate): (usage: UsageClasses) => NanoUsd | null {
  return (usage) => (isPriced(price) ? chargeFor(usage, price).cost : null)
}

const answerBytesMax = 64 * 1_024 * 1_024

function readerContext(ticket: Ticket, candidate: Candidate, config: Config) {
  return {
    id: publicGenerationId(ticket.arrival.generationId),
    createdS: Math.floor(ticket.arrival.receivedAtMs / 1_000),
    model: candidate.model.id,
    requestBody: ticket.plan.call.body,
    excludeReasoning: objectAt(ticket.plan.call.body, 'reasoning').exclude === true,
    frameBytesMax: config.stream.frameBytesMax,
    answerBytesMax,
    ...(candidate.billing === 'own_key' ? { upstreamCostOf: upstreamCostOf(candidate) } : {}),
  }
}
