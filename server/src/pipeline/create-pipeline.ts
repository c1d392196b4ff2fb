import type { ReplyContext } from '#dialects/dialect.ts'
import type { Catalogue } from '#domain/catalogue/catalogue.ts'
import type { UnbilledRules } from '#domain/limits/unbilled.ts'
import type { AutoTables } from '#domain/routing/auto/auto-tables.ts'
import type { FreeModels } from '#domain/routing/free-models.ts'
import { createHedgeBudget, type HedgeBudget } from '#domain/routing/hedge-budget.ts'
import type { OwnKeyStore } from '#domain/routing/own-keys.ts'
import type { RoutingTable } from '#domain/routing/routing-table.ts'
import { assert } from '#lib/assert.ts'
import { onceHere } from '#lib/eventually.ts'
import type { Log } from '#lib/log.ts'
import { logFault } from '#lib/log-fault.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { AuditTrail } from '#ports/audit.ts'
import type { Refusals } from '#ports/refusals.ts'
import type { FreeQuotas, Rates, Unbilled } from '#ports/shared-counts.ts'
import type { Sockets } from '#ports/sockets.ts'
import type { Admit } from './admit/admit.ts'
import { createLimitUnbilled, type LimitUnbilled } from './admit/limit-unbilled.ts'
import { createNoteCancel } from './admit/note-cancel.ts'
import { createInexactUpstreams } from './admit/inexact-upstreams.ts'
import { noteInexactCount } from './admit/note-inexact-count.ts'
import { riskOf } from './admit/operator-risk.ts'
import { createReportExceeded } from './admit/report-exceeded.ts'
import { reserveMost } from './admit/reserve-most.ts'
import { type AttributeMetrics, createAttribute, readAttribution } from './attribute/attribute.ts'
import type { EndCustomerCache } from './attribute/end-customer-cache.ts'
import type { JudgeRunRules } from './attribute/judge-run-rules.ts'
import type { RunCache } from './attribute/run-cache.ts'
import type { TagCache } from './attribute/tag-cache.ts'
import { type Authenticate, createAuthenticateArrival } from './authenticate/authenticate.ts'
import { type CachePorts, type CacheSettings, composeCache } from './cache/compose-cache.ts'
import { composeBackground, type ResponseSettings } from './compose-background.ts'
import { replyContextOf } from './dispatch/answer/reader-context.ts'
import { createReportRefusedField } from './dispatch/attempt/report-refused-field.ts'
import { createReportUnknown, type ReportUnknownDeps } from './dispatch/attempt/report-unknown.ts'
import { composeDispatch, type DispatchPorts, type DispatchSettings } from './dispatch/compose-dispatch.ts'
import { openLine } from './dispatch/open-line.ts'
import type { SeenCircuit } from './dispatch/choose/health-store.ts'
import {
  composeGuard,
  composeInspect,
  type GuardMetrics,
  type GuardPorts,
  type GuardSettings,
} from './guard/compose-guard.ts'
import { composeHold, type HoldPorts } from './hold/compose-hold.ts'
import type { LeaseKeeper } from './hold/lease-keeper.ts'
import { uncountedFor, worthFor } from './hold-for.ts'
import { createNoteRefusal } from './note-refusal.ts'
import { createParse } from './parse/parse.ts'
import { createRecall } from './parse/recall-items.ts'
import { createResume } from './parse/resume-response.ts'
import { composeReplay, type ReplayPorts, type ReplaySettings } from './replay/compose-replay.ts'
import { createFreeTier, type FreeTier } from './route/free-tier.ts'
import type { MeasurementStore } from './route/measurement-store.ts'
import { createRealtime, type Realtime } from './realtime.ts'
import { createRoute } from './route/route.ts'
import { withinMaxCost } from './route/within-max-cost.ts'
import { createStickyStore, type StickyStore } from './route/sticky-store.ts'
import type { Stages } from './run.ts'
import type { RunningRuns } from './running-runs.ts'
import { composeSettle, type SettlePorts } from './settle/compose-settle.ts'
import { traceSettle, traceStages } from './trace-stages.ts'
import type { Ticket } from './types.ts'

/** Everything outside the pipeline that the stages use. */
interface PipelinePorts
  extends DispatchPorts,
    GuardPorts,
    HoldPorts,
    Pick<ReplayPorts, 'answers'>,
    Pick<CachePorts, 'cachedAnswers'> {
  readonly authenticate: Authenticate
  readonly admit: Admit
  readonly rates: Pick<Rates, 'noteUnbilledCancel'>
  readonly unbilled: Unbilled
  readonly freeQuotas: FreeQuotas
  readonly audit: Pick<AuditTrail, 'append'>
  readonly refusals: Refusals
  readonly endCustomers: Pick<EndCustomerCache, 'find'>
  readonly tags: TagCache
  readonly runs: Pick<RunCache, 'open'>
  readonly judgeRunRules: JudgeRunRules
  readonly runningRuns: Pick<RunningRuns, 'watch' | 'release'>
  readonly measurements: Pick<MeasurementStore, 'note' | 'find' | 'slowMs'>
  readonly snapshots: PipelineSnapshots
  readonly sockets: Sockets
  readonly metrics: PipelineMetrics
  readonly log: Log
}

/** In-memory snapshots of a process. Each is replaced as a whole. */
export interface PipelineSnapshots {
  readonly catalogue: () => Catalogue
  readonly autoTables: () => AutoTables
  readonly routing: () => RoutingTable
  readonly ownKeys: () => OwnKeyStore
  readonly freeModels: () => FreeModels
}

type SettleMetrics = SettlePorts['metrics']
type DispatchMetrics = DispatchPorts['metrics']

export interface PipelineMetrics extends AttributeMetrics, GuardMetrics, SettleMetrics, DispatchMetrics {
  readonly retries: ReplayPorts['metrics']['retries']
  readonly cacheRequests: CachePorts['metrics']['cacheRequests']
  readonly unbilledCancels: { inc(): void }
  readonly unbilledUsd: { inc(usd: number): void }
  readonly unbilledExceeded: { inc(): void }
  readonly refusedFields: { inc(labels: { provider: string; model: string; field: string }): void }
  readonly unknownWords: ReportUnknownDeps['metrics']['unknownWords']
}

export interface PipelineSettings extends DispatchSettings, ReplaySettings {
  readonly cache: CacheSettings
  readonly testModels: boolean
  readonly editModel: string
  readonly autoFreePerAddress: number
  readonly unbilled: UnbilledRules
  readonly moderation: GuardSettings
  readonly leaseMs: number
  /** How long an output item is kept after its last use. */
  readonly itemRetentionMs: number
  readonly responses: ResponseSettings
  /** Maximum size of the body of a conversation, together with the items that it refers to. */
  readonly conversationBytesMax: number
  /** Where people buy credit, or null if they cannot. */
  readonly creditsUrl: string | null
}

export interface Pipeline {
  readonly stages: Stages
  /** The stages before the hold, which count nothing. */
  readonly quoting: Pick<Stages, 'resume' | 'parse' | 'route' | 'freeTier'>
  readonly realtime: Realtime
  /** Requests of this process with a hold. */
  readonly holdsOpen: number
  /** Circuits of provider accounts, as this process sees them. */
  circuits(): SeenCircuit[]
  /** Ends a request that this process runs in the background. */
  stopBackground(id: Uuid): void
  close(): Promise<void>
}

/** Composes the stages of one inference request: `run` passes a request through them in this order. */
export function createPipeline(ports: PipelinePorts, settings: PipelineSettings): Pipeline {
  const { log, nowMs } = ports
  const { hold, extender, leases } = composeHold(ports, settings)
  const unbilled = limitUnbilled(ports, settings)
  const sticky = createStickyStore(nowMs)
  const freeTier = freeTierOf(ports, settings)
  const hedgeBudget = createHedgeBudget()
  const { release, noteSettled } = endsOf(ports, leases, { unbilled, hedgeBudget })
  const tracing = settings.isTraced ? { stages: traceStages, settle: traceSettle } : untraced
  const settle = tracing.settle(composeSettle(ports, { noteSettled, release }))
  const faults = faultsOf(log)
  const noteUnbilledCancel = noteCancelOf(ports, unbilled, faults.onError)
  const dispatching = composeDispatch(ports, settings, {
    settle,
    release,
    noteAnswered: ({ plan }, { account }) => sticky.note(plan.conversation, account.id),
    countFallback: freeTier.countFallback,
    hedgeBudget,
    watchStop: ports.runningRuns.watch,
    reportRefusedField: createReportRefusedField(ports),
    reportUnknown: createReportUnknown(ports),
    watchOutput: (ticket, output, refused) => {
      unbilled.noteOutput(ticket, output.tokens)
      extender.watch(ticket, output, refused)
    },
    noteUnbilledCancel,
    ...faults,
  })
  const background = composeBackground(ports.storedResponses, settings.responses, {
    hold: unbilled.before(hold),
    dispatch: dispatching.dispatch,
    settle,
    contextOf: firstContextOf,
    onError: faults.onUnstored,
  })
  const replay = composeReplay(ports, settings, settle)
  const caching = composeCache(ports, settings.cache)
  const planning = composePlanning(ports, settings, sticky)
  const stages = tracing.stages({
    ...arrivingStages(ports),
    recall: recallOf(ports, settings),
    ...planning,
    guard: composeGuard(ports, settings.moderation),
    freeTier: applyMaxCost(freeTier.apply),
    claim: replay.claim,
    attribute: createAttribute(ports),
    cache: caching.cache,
    ...background.stages,
    settle,
  })
  return {
    quoting: { ...planning, freeTier: applyMaxCost(peekingFreeTier(ports, settings).apply) },
    stages,
    realtime: composeRealtime(ports, settings, { stages, noteUnbilledCancel }),
    get holdsOpen() {
      return leases.open
    },
    circuits: dispatching.circuits,
    stopBackground: background.stop,
    close: async () => {
      await background.close()
      leases.stop()
      replay.close()
      caching.close()
      await dispatching.close()
    },
  }
}

/** The stages that depend on nothing but their ports. */
function arrivingStages(
  ports: PipelinePorts,
): Pick<Stages, 'authenticate' | 'receive' | 'readAttribution' | 'admit' | 'noteRefusal'> {
  return {
    authenticate: createAuthenticateArrival(ports.authenticate),
    receive: (arrival, principal) => arrival.receive(principal),
    readAttribution,
    admit: (principal) => ports.admit(principal, 'inference'),
    noteRefusal: createNoteRefusal(ports.refusals),
  }
}

function composeRealtime(
  ports: PipelinePorts,
  { moderation }: PipelineSettings,
  between: Pick<Parameters<typeof createRealtime>[0], 'stages' | 'noteUnbilledCancel'>,
): Realtime {
  return createRealtime({
    ...between,
    inspect: composeInspect(ports, moderation),
    openLine: ({ candidates }) => openLine(candidates, ports.sockets),
    watchStop: ({ arrival, principal }, end) => {
      const run = principal.attribution?.run ?? null
      if (run !== null) ports.runningRuns.watch(arrival.generationId, run, end)
    },
  })
}

function noteCancelOf(
  { metrics, rates, nowMs }: PipelinePorts,
  unbilled: LimitUnbilled,
  onError: (error: unknown) => void,
): ReturnType<typeof createNoteCancel> {
  return createNoteCancel({ count: () => metrics.unbilledCancels.inc(), unbilled, rates, nowMs, onError })
}

/** What happens once a request is settled, and once it has ended. */
function endsOf(
  { runningRuns }: Pick<PipelinePorts, 'runningRuns'>,
  leases: Pick<LeaseKeeper, 'release'>,
  {
    unbilled,
    hedgeBudget,
  }: { unbilled: Pick<LimitUnbilled, 'release' | 'noteSettled'>; hedgeBudget: Pick<HedgeBudget, 'paid'> },
): { release: (ticket: Ticket) => void; noteSettled: LimitUnbilled['noteSettled'] } {
  return {
    release: (ticket) => {
      const { generationId, filling } = ticket.arrival
      leases.release(generationId)
      unbilled.release(ticket)
      if (ticket.principal.attribution?.run != null) runningRuns.release(generationId)
      filling?.released()
    },
    noteSettled: (ticket, judged, settled) => {
      unbilled.noteSettled(ticket, judged, settled)
      ticket.arrival.filling?.settled(ticket, judged)
      if (ticket.plan.hedgeAfter !== undefined) hedgeBudget.paid(ticket.principal.walletId, settled.cost)
    },
  }
}

/** The stages that know what a request asks for, and who could serve it. */
function composePlanning(
  ports: PipelinePorts,
  settings: PipelineSettings,
  sticky: StickyStore,
): Pick<Stages, 'resume' | 'parse' | 'route'> {
  const { snapshots, measurements } = ports
  const { testModels, editModel } = settings
  return {
    resume: resumeOf(ports, settings),
    parse: createParse({ ...snapshots, testModels, editModel }),
    route: createRoute({
      routing: snapshots.routing,
      ownKeys: snapshots.ownKeys,
      measurements: ({ account, model }) => measurements.find({ vendor: account.vendor, model: model.id }),
      sticky,
    }),
  }
}

function freeTierOf(
  { snapshots, freeQuotas: quotas }: Pick<PipelinePorts, 'snapshots' | 'freeQuotas'>,
  { autoFreePerAddress: autoUnitsPerAddress }: PipelineSettings,
): FreeTier {
  return createFreeTier({ freeModels: snapshots.freeModels, quotas, autoUnitsPerAddress })
}

/** Reads the quotas, and uses up nothing of them. */
function peekingFreeTier({ snapshots, freeQuotas }: PipelinePorts, settings: PipelineSettings): FreeTier {
  const peeking: FreeQuotas = {
    ask: (subject, asks, { nowMs }) => freeQuotas.ask(subject, asks, { takesFirst: false, nowMs }),
  }
  return freeTierOf({ snapshots, freeQuotas: peeking }, settings)
}

/** Once it is known which candidates are free, a request that limits its cost keeps those that it can pay for. */
function applyMaxCost(apply: Stages['freeTier']): Stages['freeTier'] {
  return (request) => {
    const applied = apply(request)
    if (request.plan.maxCost === undefined) return applied
    return onceHere(applied, ({ plan, headers }) => ({ plan: withinMaxCost(plan), headers }))
  }
}

/** Without tracing a request passes the stages directly. */
const untraced = { stages: (stages: Stages) => stages, settle: (settle: Stages['settle']) => settle }

function recallOf({ keptItems, nowMs }: PipelinePorts, settings: PipelineSettings): Stages['recall'] {
  if (keptItems === null) return null
  const { itemRetentionMs: keptMs, conversationBytesMax: bytesMax } = settings
  return createRecall({ items: keptItems, keptMs, bytesMax, nowMs })
}

function resumeOf({ storedResponses: responses }: PipelinePorts, settings: PipelineSettings): Stages['resume'] {
  if (responses === null) return null
  const { conversationBytesMax: bytesMax } = settings
  return createResume({ responses, storesByDefault: settings.responses.storeByDefault, bytesMax })
}

/** A response in the background has no provider yet, so it shows the model of the first candidate. */
function firstContextOf(ticket: Ticket): ReplyContext {
  const [candidate] = ticket.plan.candidates
  assert(candidate !== undefined, 'a plan has a candidate')
  return replyContextOf(ticket, candidate)
}

function faultsOf(log: Log): Record<'onError' | 'onUnkept' | 'onUnstored', (error: unknown) => void> {
  const reported = (what: string) => logFault(log, what, { level: 'warn', overAfterMs: 60_000 }).failed
  return {
    onError: (error) => log.error({ err: error }, 'failed to finalize a request'),
    onUnkept: reported('output items could not be kept'),
    onUnstored: reported('responses could not be stored'),
  }
}

/** Limits what clients may leave unpaid, and reports those that exceed the limit. */
function limitUnbilled(ports: PipelinePorts, settings: PipelineSettings): LimitUnbilled {
  const { log, metrics, audit, nowMs } = ports
  const onError = (error: unknown): void => log.warn({ err: error }, 'failed to count an unbilled response')
  const inexact = createInexactUpstreams(nowMs)
  return createLimitUnbilled({
    unbilled: ports.unbilled,
    rules: settings.unbilled,
    priceOf: (candidates, { call }, outputTokens) => worthFor(candidates, call, outputTokens),
    uncountedOf: (candidates, { call }) => uncountedFor(candidates, call),
    riskOf: (plan) => riskOf(plan, inexact),
    reserveMost,
    noteInexactCount: (ticket, judged) => noteInexactCount(ticket, judged, inexact),
    onLeft: (worth) => metrics.unbilledUsd.inc(Number(worth) / 1e9),
    onExceeded: createReportExceeded({ count: () => metrics.unbilledExceeded.inc(), log, audit, onError }),
    onError,
    nowMs,
  })
}
