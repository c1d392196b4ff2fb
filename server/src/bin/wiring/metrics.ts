import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client'
import type { SeenCircuit } from '#pipeline/dispatch/health-store.ts'
import type { Figures } from '#http/operating/operating-routes.ts'
import type { MetricFamily } from '#lib/open-metrics.ts'
import { readVersion } from '../version.ts'
import { requestSeries } from './request-series.ts'

/** Gauges that the library names like counters. The same figures by type stay. */
const misnamed = ['handles', 'requests', 'resources'].map((what) => `nodejs_active_${what}_total`)

/** What every process shows: its own memory and time, and figures that are read when asked for. */
export function createRegistry() {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  for (const name of misnamed) registry.removeSingleMetric(name)
  const build = new Gauge({
    name: 'weir_build_info',
    help: 'Always 1; the version of Weir and of Node that runs.',
    labelNames: ['version', 'node'],
    registers: [registry],
  })
  build.set({ version: readVersion(), node: process.versions.node }, 1)
  return {
    registry,
    figures: figuresOf(registry),
    watch: (name: string, help: string, read: () => number) => {
      const gauge: Gauge = new Gauge({ name, help, registers: [registry], collect: () => gauge.set(read()) })
    },
    /** Several figures of one name, by their labels. */
    watchEach: (
      name: string,
      help: string,
      labelNames: string[],
      read: () => readonly Figure[] | Promise<Figure[]>,
    ) => {
      const gauge: Gauge = new Gauge({
        name,
        help,
        labelNames,
        registers: [registry],
        collect: async () => {
          const figures = await read()
          gauge.reset()
          for (const { labels, value } of figures) gauge.set({ ...labels }, value)
        },
      })
    },
  }
}

function figuresOf(registry: Registry): Figures {
  return {
    text: () => registry.metrics(),
    // Its types name the kinds of figures by number, while its values name them in words.
    families: async () => (await registry.getMetricsAsJSON()) as unknown as MetricFamily[],
  }
}

export interface Figure {
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/** Everything that a gateway counts, named once. */
export function createMetrics() {
  const { registry, figures, watch, watchEach } = createRegistry()
  const registers = [registry]
  return {
    registry,
    figures,
    watch,
    watchEach,
    ...requestSeries(registry),
    refusals: new Counter({
      name: 'weir_refusals_total',
      help: 'Refused requests by name of the error.',
      labelNames: ['error'],
      registers,
    }),
    refusedFields: new Counter({
      name: 'weir_refused_fields_total',
      help: 'Optional fields that the gateway adds and a provider began to reject for a model, confirmed by a test request.',
      labelNames: ['provider', 'model', 'field'],
      registers,
    }),
    unknownWords: new Counter({
      name: 'weir_unknown_words_total',
      help: "Unknown usage members, blocks, events, tools and finish reasons in providers' answers, by kind.",
      labelNames: ['provider', 'kind'],
      registers,
    }),
    ...circuitMetrics(registers),
    ...moneyCounters(registers),
    ...abuseCounters(registers),
    spooled: new Counter({
      name: 'weir_settles_spooled_total',
      help: 'Settles that went to the local spool.',
      registers,
    }),
    degraded: new Counter({
      name: 'weir_admission_fallbacks_total',
      help: 'Times the per-process limiter took over because Redis was slow or away.',
      registers,
    }),
    usageReads: new Counter({
      name: 'weir_usage_reads_total',
      help: 'Sums of usage that were read, by the server that answered: primary or replica.',
      labelNames: ['server'],
      registers,
    }),
    ...traceCounters(registers),
    codeMailsFailed: new Counter({
      name: 'weir_institution_mails_failed_total',
      help: 'Attempts to mail a code of an institution that a mail server did not take.',
      registers,
    }),
    moderationBlocked: new Counter({
      name: 'weir_moderation_blocked_total',
      help: 'Prompts that moderation blocked, by what judged them.',
      labelNames: ['source'],
      registers,
    }),
    moderationDown: new Counter({
      name: 'weir_moderation_down_total',
      help: 'Prompts that could not be judged, and were refused or sent as configured.',
      registers,
    }),
  }
}

function traceCounters(registers: Registry[]) {
  return {
    spansSent: new Counter({
      name: 'weir_trace_spans_sent_total',
      help: 'Spans that the collector of traces has taken.',
      registers,
    }),
    spansDropped: new Counter({
      name: 'weir_trace_spans_dropped_total',
      help: 'Spans that never reached the collector of traces, by reason (queue_full, refused, stopped).',
      labelNames: ['reason'],
      registers,
    }),
  }
}

/** Who is out of rotation. */
function circuitMetrics(registers: Registry[]) {
  return {
    circuitChanges: new Counter({
      name: 'weir_circuit_changes_total',
      help: 'Circuit breakers of provider accounts that opened or closed, one for each model.',
      labelNames: ['provider', 'account', 'to'],
      registers,
    }),
    watchCircuits: (read: () => readonly SeenCircuit[]) => {
      const circuits: Gauge = new Gauge({
        name: 'weir_circuits',
        help: 'Circuit breakers of provider accounts by state (closed, half-open, open), one for each model that was asked for.',
        labelNames: ['provider', 'account', 'state'],
        registers,
        collect: () => showCircuits(circuits, read()),
      })
    },
  }
}

/** Every account has all three states, so that a series does not vanish when a circuit closes. */
function showCircuits(gauge: Gauge, circuits: readonly SeenCircuit[]): void {
  gauge.reset()
  for (const { vendor: provider, account, state } of circuits) {
    for (const shown of ['closed', 'half-open', 'open']) {
      gauge.inc({ provider, account, state: shown }, Number(shown === state))
    }
  }
}

/** What people do to get more than is theirs. */
function abuseCounters(registers: Registry[]) {
  return {
    unbilledCancels: new Counter({
      name: 'weir_unbilled_cancels_total',
      help: 'Answers that clients left before usage arrived.',
      registers,
    }),
    unbilledUsd: new Counter({
      name: 'weir_unbilled_usd_total',
      help: 'What answers were worth at list price that clients left before usage arrived, in USD.',
      registers,
    }),
    unbilledExceeded: new Counter({
      name: 'weir_unbilled_exceeded_total',
      help: 'Wallets that have left more answers in a day than they may.',
      registers,
    }),
    connectionsRefused: new Counter({
      name: 'weir_connections_refused_total',
      help: 'Connections closed at once, because too many were open in all or from one address.',
      registers,
    }),
    signInFailures: new Counter({
      name: 'weir_sign_in_failures_total',
      help: 'Wrong passwords.',
      registers,
    }),
    codesRefused: new Counter({
      name: 'weir_redemption_failures_total',
      help: 'Codes that could not be redeemed.',
      registers,
    }),
    accountsAttacked: new Counter({
      name: 'weir_sign_in_accounts_attacked_total',
      help: 'Accounts whose password strangers have tried too often, each at most once an hour.',
      registers,
    }),
  }
}

function moneyCounters(registers: Registry[]) {
  return {
    charged: new Counter({
      name: 'weir_charged_usd_total',
      help: 'Charges settled by this process, in USD.',
      registers,
    }),
    absorbed: new Counter({
      name: 'weir_absorbed_nano_usd_total',
      help: 'What requests came to beyond what could be charged, in billionths of a USD: the operator bears it.',
      registers,
    }),
    undercharged: new Counter({
      name: 'weir_undercharged_total',
      help: 'Answers whose cost, as the provider states it, exceeds the charge.',
      labelNames: ['provider', 'account'],
      registers,
    }),
    usageDoubted: new Counter({
      name: 'weir_usage_doubted_total',
      help: 'Answers whose provider reported more tokens than the request can have used.',
      labelNames: ['provider', 'account'],
      registers,
    }),
  }
}

export type Metrics = ReturnType<typeof createMetrics>
