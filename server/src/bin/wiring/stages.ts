import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Config } from '#config/config-schema.ts'
import { rateSubject } from '#domain/access/rate-subject.ts'
import { publicGenerationId } from '#domain/ledger/generation-id.ts'
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
import { chooseReader } from '#pipeline/normalise/choose-reader.ts'
import { createParse } from '#pipeline/parse/parse.ts'
import { recordOf } from '#pipeline/record/record.ts'
import { createReport } from '#pipeline/record/report.ts'
import { createRoute, holdFor } from '#pipeline/route/route.ts'
import type { Stages } from '#pipeline/run.ts'
import { createSettle, type SettleStage } from '#pipeline/settle/settle.ts'
import type { Ticket } from '#pipeline/types.ts'
import type { Money } from '#ports/money.ts'
import type { UpstreamRequest, Upstreams } from '#ports/upstream.ts'
import { openAiHost } from '#providers/protocols/openai/openai-host.ts'
import { protocolOf } from '#providers/protocols.ts'
import { findVendor } from '#providers/registry.ts'
import type { VendorSpec } from '#providers/spec.ts'
import type { Admission } from './admission.ts'
import type { Metrics } from './metrics.ts'
import type { Snapshots } from './snapshots.ts'

export interface StageNeeds {
  config: Config
  logger: Logger
  metrics: Metrics
  snapshots: Snapshots
  money: Money
  admission: Admission
}

export interface WiredStages {
  stages: Stages
  close(): Promise<void>
}

/** The stages of the pipeline with everything they need. */
export function wireStages(needs: StageNeeds): WiredStages {
  const { config, logger, metrics, money, snapshots, admission } = needs
  const leases = createLeaseKeeper({
    money,
    leaseMs: config.money.leaseMs,
    onError: (error) => logger.warn({ err: error }, 'leases could not be renewed'),
  })
  metrics.watch('weir_holds_open', 'Requests with a hold in this process.', () => leases.open)
  const settle = createSettle({
    money,
    release: (ticket) => leases.release(ticket.arrival.generationId),
    record: (ticket, judged) => recordOf(ticket, judged, Date.now()),
    report: createReport({
      log: logger.isLevelEnabled('info') ? (event) => logger.info(event, 'generation') : null,
      metrics,
      nowMs: Date.now,
    }),
  })
  const dispatching = wireDispatch(needs, settle)
  return {
    stages: {
      authenticate: ({ authorization, apiKey, clientIp, receivedAtMs }) =>
        admission.authenticate({ authorization, apiKey, clientIp, nowMs: receivedAtMs }),
      parse: createParse({ catalogue: snapshots.catalogue, testModels: config.testModels.enabled }),
      admit: (principal) => admission.admit(principal, 'inference'),
      guard: createGuard(),
      route: createRoute({ routing: snapshots.routing }),
      hold: createHold({ money, leases }),
      dispatch: dispatching.dispatch,
      settle,
    },
    close: async () => {
      leases.stop()
      await dispatching.close()
    },
  }
}

function wireDispatch(needs: StageNeeds, settle: SettleStage): { dispatch: DispatchStage; close(): Promise<void> } {
  const { config, logger, metrics, money, admission } = needs
  const nowMs = Date.now
  const onError = (error: unknown): void => logger.error({ err: error }, 'a request could not be ended properly')
  const network = createUpstreamClient({ connectTimeoutMs: config.upstream.connectTimeoutMs, connectionsMax: 4_096 })
  const keepAlives = createKeepAlives({ everyMs: config.stream.keepAliveMs, nowMs })
  const extender = createHoldExtender({
    money,
    amountFor: (ticket, tokens) => holdFor(ticket.plan.candidates, ticket.plan.call.promptTokensEstimate, tokens),
    onError: (error) => logger.warn({ err: error }, 'a hold could not be extended'),
  })
  const dispatch = createDispatch({
    upstreams: upstreamsOver(network),
    health: createHealthBook(config.breaker, nowMs),
    retries: createRetryBudget(),
    keepAlives,
    prepare: (ticket, candidate) => prepareRequest(ticket, candidate, { vendorOf, timeouts: config.upstream, sign }),
    makeReader: (ticket, candidate, contentType, listener) => {
      const vendor = vendorOf(candidate)
      const pair = { dialect: ticket.arrival.dialect, protocol: protocolOf(vendor), vendor }
      const wants = { stream: ticket.plan.call.stream, contentType }
      return chooseReader(readerContext(ticket, config), pair, wants, listener)
    },
    readFailure: (candidate) => protocolOf(vendorOf(candidate)).readFailure,
    failFrames: (ticket, error) => ticket.arrival.dialect.createWriter(readerContext(ticket, config)).fail(error),
    settle,
    watchOutput: extender.watch,
    noteUnbilledCancel: (ticket) => {
      metrics.unbilledCancels.inc()
      const subject = rateSubject(ticket.principal, 'inference')
      admission.rates.noteUnbilledCancel(subject, ticket.principal.keyId, nowMs()).catch(onError)
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
  const vendor = findVendor(candidate.account.vendor)
  assert(vendor !== undefined, `the vendor ${candidate.account.vendor} of a provider account is registered`)
  return vendor
}

async function sign(request: UpstreamRequest, credential: string | null, vendor: VendorSpec): Promise<UpstreamRequest> {
  if (credential === null || vendor.authentication.kind !== 'sigv4') return request
  const { service } = vendor.authentication
  const region = signingRegionOf(request.origin, credential)
  return signRequest(request, credential, { service, region, nowMs: Date.now() })
}

function upstreamsOver(network: UpstreamClient): Upstreams {
  const played = createPlayedUpstream()
  return { open: (request, handler) => (request.origin === playedOrigin ? played : network).open(request, handler) }
}

const answerBytesMax = 64 * 1_024 * 1_024

function readerContext(ticket: Ticket, config: Config) {
  return {
    id: publicGenerationId(ticket.arrival.generationId),
    createdS: Math.floor(ticket.arrival.receivedAtMs / 1_000),
    model: ticket.plan.model.id,
    requestBody: ticket.plan.call.body,
    excludeReasoning: objectAt(ticket.plan.call.body, 'reasoning').exclude === true,
    frameBytesMax: config.stream.frameBytesMax,
    answerBytesMax,
  }
}
