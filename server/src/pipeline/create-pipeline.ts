import type { Catalogue } from '#domain/catalogue/catalogue.ts'
import type { UnbilledRules } from '#domain/limits/unbilled.ts'
import type { AutoTables } from '#domain/routing/auto/auto-tables.ts'
import type { FreeModels } from '#domain/routing/free-models.ts'
import type { OwnKeyStore } from '#domain/routing/own-keys.ts'
import type { RoutingTable } from '#domain/routing/routing-table.ts'
import { onceHere } from '#lib/eventually.ts'
import type { Log } from '#lib/log.ts'
import { logFault } from '#lib/log-fault.ts'
import type { AuditTrail } from '#ports/audit.ts'
import type { Refusals } from '#ports/refusals.ts'
import type { FreeQuotas, Rates, Unbilled } from '#ports/shared-counts.ts'
import type { Admit } from './admit/admit.ts'
import { createLimitUnbilled, type LimitUnbilled } from './admit/limit-unbilled.ts'
import { createNoteCancel } from './admit/note-cancel.ts'
import { createInexactUpstreams } from './admit/inexact-upstreams.ts'
import { noteInexactCount } from './admit/note-inexact-count.ts'
import { riskOf } from './admit/operator-risk.ts'
import { createReportExceeded } from './admit/report-exceeded.ts'
import { reserveMost } from './admit/reserve-most.ts'
import { createAttribute, readAttribution } from './attribute/attribute.ts'
import type { EndCustomerCache } from './attribute/end-customer-cache.ts'
import type { TagCache } from './attribute/tag-cache.ts'
import { type Authenticate, createAuthenticateArrival } from './authenticate/authenticate.ts'
import { createReportRefusedField } from './dispatch/attempt/report-refused-field.ts'
import { createReportUnknown, type ReportUnknownDeps } from './dispatch/attempt/report-unknown.ts'
import { composeDispatch, type DispatchPorts, type DispatchSettings } from './dispatch/compose-dispatch.ts'
import type { SeenCircuit } from './dispatch/choose/health-store.ts'
import { composeGuard, type GuardMetrics, type GuardPorts, type GuardSettings } from './guard/compose-guard.ts'
import { composeHold, type HoldPorts } from './hold/compose-hold.ts'
import { uncountedFor, worthFor } from './hold-for.ts'
import { createNoteRefusal } from './note-refusal.ts'
import { createParse } from './parse/parse.ts'
import { createRecall } from './parse/recall-items.ts'
import { createFreeTier, type FreeTier } from './route/free-tier.ts'
import type { MeasurementStore } from './route/measurement-store.ts'
import { createRoute } from './route/route.ts'
import { withinMaxCost } from './route/within-max-cost.ts'
import { createStickyStore, type StickyStore } from './route/sticky-store.ts'
import type { Stages } from './run.ts'
import { composeSettle, type SettlePorts } from './settle/compose-settle.ts'
import { traceSettle, traceStages } from './trace-stages.ts'
import type { Ticket } from './types.ts'

/** Everything outside the pipeline that the stages use. */
interface PipelinePorts extends DispatchPorts, GuardPorts, HoldPorts {
  readonly authenticate: Authenticate
  readonly admit: Admit
  readonly rates: Pick<Rates, 'noteUnbilledCancel'>
  readonly unbilled: Unbilled
  readonly freeQuotas: FreeQuotas
  readonly audit: Pick<AuditTrail, 'append'>
  readonly refusals: Refusals
  readonly endCustomers: Pick<EndCustomerCache, 'find'>
  readonly tags: TagCache
  readonly measurements: Pick<MeasurementStore, 'note' | 'find'>
  readonly snapshots: PipelineSnapshots
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

export interface PipelineMetrics extends GuardMetrics, SettleMetrics {
  readonly unbilledCancels: { inc(): void }
  readonly unbilledUsd: { inc(usd: number): void }
  readonly unbilledExceeded: { inc(): void }
  readonly refusedFields: { inc(labels: { provider: string; model: string; field: string }): void }
  readonly unknownWords: ReportUnknownDeps['metrics']['unknownWords']
}

export interface PipelineSettings extends DispatchSettings {
  readonly testModels: boolean
  readonly editModel: string
  readonly autoFreePerAddress: number
  readonly unbilled: UnbilledRules
  readonly moderation: GuardSettings
  readonly leaseMs: number
  /** How long an output item is kept after its last use. */
  readonly itemRetentionMs: number
  /** Where people buy credit, or null if they cannot. */
  readonly creditsUrl: string | null
}

export interface Pipeline {
  readonly stages: Stages
  /** The stages before the hold, which count nothing. */
  readonly quoting: Pick<Stages, 'parse' | 'route' | 'freeTier'>
  /** Requests of this process with a hold. */
  readonly holdsOpen: number
  /** Circuits of provider accounts, as this process sees them. */
  circuits(): SeenCircuit[]
  close(): Promise<void>
}

/** Composes the stages of one inference request: `run` passes a request through them in this order. */
export function createPipeline(ports: PipelinePorts, settings: PipelineSettings): Pipeline {
  const { log, nowMs } = ports
  const { hold, extender, leases } = composeHold(ports, settings)
  const unbilled = limitUnbilled(ports, settings)
  const sticky = createStickyStore(nowMs)
  const freeTier = freeTierOf(ports, settings)
  const release = (ticket: Ticket): void => {
    leases.release(ticket.arrival.generationId)
    unbilled.release(ticket)
  }
  const tracing = settings.isTraced ? { stages: traceStages, settle: traceSettle } : untraced
  const settle = tracing.settle(composeSettle(ports, { noteSettled: unbilled.noteSettled, release }))
  const onError = (error: unknown): void => log.error({ err: error }, 'failed to finalize a request')
  const dispatching = composeDispatch(ports, settings, {
    settle,
    release,
    noteAnswered: ({ plan }, { account }) => sticky.note(plan.conversation, account.id),
    countFallback: freeTier.countFallback,
    reportRefusedField: createReportRefusedField(ports),
    reportUnknown: createReportUnknown(ports),
    watchOutput: (ticket, output, refused) => {
      unbilled.noteOutput(ticket, output.tokens)
      extender.watch(ticket, output, refused)
    },
    noteUnbilledCancel: createNoteCancel({
      count: () => ports.metrics.unbilledCancels.inc(),
      unbilled,
      rates: ports.rates,
      nowMs,
      onError,
    }),
    onError,
    onUnkept: logFault(log, 'output items could not be kept', { level: 'warn', overAfterMs: 60_000 }).failed,
  })
  const planning = composePlanning(ports, settings, sticky)
  return {
    quoting: { ...planning, freeTier: applyMaxCost(peekingFreeTier(ports, settings).apply) },
    stages: tracing.stages({
      authenticate: createAuthenticateArrival(ports.authenticate),
      receive: (arrival, principal) => arrival.receive(principal),
      recall: recallOf(ports, settings),
      readAttribution,
      ...planning,
      admit: (principal) => ports.admit(principal, 'inference'),
      guard: composeGuard(ports, settings.moderation),
      freeTier: applyMaxCost(freeTier.apply),
      attribute: createAttribute(ports),
      hold: unbilled.before(hold),
      dispatch: dispatching.dispatch,
      settle,
      noteRefusal: createNoteRefusal(ports.refusals),
    }),
    get holdsOpen() {
      return leases.open
    },
    circuits: dispatching.circuits,
    close: async () => {
      leases.stop()
      await dispatching.close()
    },
  }
}

/** The stages that know what a request asks for, and who could serve it. */
function composePlanning(
  { snapshots, measurements }: PipelinePorts,
  { testModels, editModel }: PipelineSettings,
  sticky: StickyStore,
): Pick<Stages, 'parse' | 'route'> {
  return {
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

function recallOf({ keptItems, nowMs }: PipelinePorts, { itemRetentionMs }: PipelineSettings): Stages['recall'] {
  return keptItems === null ? null : createRecall({ items: keptItems, keptMs: itemRetentionMs, nowMs })
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
