import type { Candidate } from '#domain/routing/candidates.ts'
import type { HealthRules } from '#domain/routing/provider-health.ts'
import { createRetryBudget } from '#domain/routing/retry-budget.ts'
import type { Propagate } from '#domain/tracing/propagate.ts'
import type { KeptItems } from '#ports/kept-items.ts'
import type { ImagePublisher, ImageSource } from '#ports/media.ts'
import type { AuthorizeRequest, Upstreams } from '#ports/upstream.ts'
import type { StoredResponses } from '#ports/stored-responses.ts'
import type { VideoJobs } from '#ports/videos.ts'
import type { Ticket } from '../types.ts'
import { type AcceptDeps, createAcceptJob } from './attempt/accept-job.ts'
import { createMakeReader } from './answer/choose-reader.ts'
import { createFinishMedia } from './answer/finish-media.ts'
import { failureReaderOf } from './answer/read-failure.ts'
import { createFailFrames, keepAliveOf } from './answer/stream-frames.ts'
import { createBegin } from './begin.ts'
import { createBeginExchange } from './begin-exchange.ts'
import { createBeginMedia } from './begin-media.ts'
import { createConfirmRefusal } from './confirm-refusal.ts'
import { createDispatch, type DispatchStage } from './dispatch.ts'
import type { DispatchDeps } from './dispatch-deps.ts'
import { createDispatchKept } from './dispatch-kept.ts'
import { createHealthStore, type SeenCircuit } from './choose/health-store.ts'
import { createKeepAlives } from './answer/keep-alives.ts'
import { createOutputKeeper } from './answer/keep-output.ts'
import { createStoreResponse } from './answer/store-response.ts'
import { createHedging, type HedgePorts } from './hedging.ts'
import { createLearnedFields, type ReportRefusedField } from './attempt/learned-fields.ts'
import type { OwnKeyNotes } from './choose/own-key-notes.ts'
import { prepareRequest, type UpstreamTimeouts } from './prepare-request.ts'
import type { CircuitReporter } from './choose/report-circuit.ts'
import { createRefusedFields, type RefusedFields } from './attempt/refused-fields.ts'
import type { ReportUnknown } from './attempt/report-unknown.ts'
import { traceAttempts } from './trace-attempts.ts'
import { vendorOf } from './attempt/vendor-of.ts'

export interface DispatchPorts {
  readonly upstreams: Upstreams
  readonly authorize: AuthorizeRequest
  readonly imageSource: ImageSource
  readonly imagePublisher: ImagePublisher
  readonly videoJobs: Pick<VideoJobs, 'accept'>
  /** Null if no output items are kept. */
  readonly keptItems: KeptItems | null
  /** Null if no responses are stored. */
  readonly storedResponses: StoredResponses | null
  readonly ownKeyNotes: Pick<OwnKeyNotes, 'succeeded' | 'failed'>
  readonly circuits: Pick<CircuitReporter, 'report' | 'stillOpen'>
  /** Adds the request's trace context for upstreams that may receive it. */
  readonly propagate: Propagate
  readonly nowMs: () => number
  /** Ends early with the signal. */
  readonly wait: (ms: number, signal?: AbortSignal) => Promise<void>
  /** The pause of a media job between two polls. It ends early with the signal. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>
  readonly measurements: HedgePorts['measurements']
  readonly metrics: HedgePorts['metrics']
}

export interface DispatchSettings {
  readonly upstream: UpstreamTimeouts
  readonly breaker: HealthRules
  readonly keepAliveMs: number
  readonly frameBytesMax: number
  readonly videoDeadlineMs: number
  /** Whether requests may have a trace. */
  readonly isTraced: boolean
}

/** Callbacks from dispatch to the stages around it. */
interface DispatchNeighbours
  extends Pick<
      DispatchDeps,
      'noteAnswered' | 'settle' | 'watchOutput' | 'noteUnbilledCancel' | 'watchStop' | 'onError'
    >,
    Pick<AcceptDeps, 'release'> {
  readonly hedgeBudget: HedgePorts['budget']
  readonly onUnkept: (error: unknown) => void
  readonly onUnstored: (error: unknown) => void
  /**
   * Counts a request against the quota of the free model that it falls back to. Undefined if there is nothing to count.
   */
  readonly countFallback: (ticket: Ticket, candidate: Candidate) => Promise<void> | undefined
  readonly reportRefusedField: ReportRefusedField
  readonly reportUnknown: ReportUnknown
}

const answerBytesMax = 64 * 1_024 * 1_024

/**
 * The dispatch stage with everything nested in it. Videos are stored as jobs; upstreams respond to everything else
 * directly.
 */
export function composeDispatch(
  ports: DispatchPorts,
  settings: DispatchSettings,
  neighbours: DispatchNeighbours,
): { readonly dispatch: DispatchStage; circuits(): SeenCircuit[]; close(): Promise<void> } {
  const { nowMs, wait, keptItems, storedResponses: responses } = ports
  const { release, countFallback, reportRefusedField, reportUnknown, onUnkept, onUnstored, hedgeBudget, ...noted } =
    neighbours
  const keeper = keptItems === null ? null : createOutputKeeper({ items: keptItems, nowMs, onError: onUnkept })
  const keepAlives = createKeepAlives({ everyMs: settings.keepAliveMs, nowMs })
  const failFrames = createFailFrames({ frameBytesMax: settings.frameBytesMax, answerBytesMax })
  const accept = createAcceptJob({ jobs: ports.videoJobs, release, deadlineMs: settings.videoDeadlineMs })
  const { upstreams, authorize } = ports
  const confirm = createConfirmRefusal({ upstreams, authorize, timeouts: settings.upstream, onError: noted.onError })
  const refusedFields = createRefusedFields(createLearnedFields({ confirm, report: reportRefusedField, nowMs }))
  const health = createHealthStore(settings.breaker, nowMs, { ownKeys: ports.ownKeyNotes, circuits: ports.circuits })
  const deps: DispatchDeps = {
    ...noted,
    refusedFields,
    health,
    retries: createRetryBudget(),
    hedging: createHedging({ ...ports, budget: hedgeBudget, pause: ports.wait }),
    keepAlives,
    keepAliveOf,
    begin: composeBegin(ports, settings, { countFallback, reportUnknown, failFrames, refusedFields }),
    failFrames,
    keepOutput: keeper?.keep ?? null,
    storeResponse: responses === null ? null : createStoreResponse({ responses, onError: onUnstored }),
    nowMs,
    wait,
  }
  const serve = createDispatch(deps)
  const serveKept = createDispatchKept(deps)
  return {
    dispatch: (ticket) => {
      if (ticket.arrival.cached !== undefined) return serveKept(ticket)
      return ticket.plan.call.media?.task.kind === 'video' ? accept(ticket) : serve(ticket)
    },
    circuits: health.circuits,
    close: async () => {
      keepAlives.stop()
      await keeper?.close()
    },
  }
}

interface BeginDeps
  extends Pick<DispatchNeighbours, 'countFallback' | 'reportUnknown'>,
    Pick<DispatchDeps, 'failFrames'> {
  readonly refusedFields: RefusedFields
}

/** How candidates are called: one exchange for text and speech, a script of exchanges for all other media. */
function composeBegin(
  { upstreams, authorize, imageSource, imagePublisher, propagate, keptItems, nowMs, pause }: DispatchPorts,
  { upstream: timeouts, frameBytesMax, isTraced }: DispatchSettings,
  { countFallback, reportUnknown, failFrames, refusedFields }: BeginDeps,
): DispatchDeps['begin'] {
  const limits = { frameBytesMax, answerBytesMax }
  const preparing = { timeouts, authorize, propagate, refusedFields }
  const begin = createBegin({
    exchange: createBeginExchange({
      upstreams,
      prepare: (ticket, candidate) => prepareRequest(ticket, candidate, preparing),
      makeReader: createMakeReader({ vendorOf, limits, reportUnknown, keepsOutput: keptItems !== null }),
      readFailure: (ticket, candidate) => failureReaderOf(ticket.plan.call, vendorOf(candidate)),
    }),
    media: createBeginMedia({
      upstreams,
      authorize,
      propagate,
      images: imageSource,
      timeouts,
      answerBytesMax,
      finish: createFinishMedia({ images: imagePublisher, limits, nowMs }),
      failFrames,
      wait: pause,
    }),
    count: countFallback,
  })
  return isTraced ? traceAttempts(begin) : begin
}
