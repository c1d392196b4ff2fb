import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client'
import type { SeenCircuit } from '#pipeline/dispatch/choose/health-store.ts'
import type { Figures } from '#http/operating/operating-routes.ts'
import type { MetricFamily } from '#lib/open-metrics.ts'
import { readVersion } from '../version.ts'
import { createMailCounter } from './mail-counter.ts'
import { requestSeries } from './request-series.ts'

/** Gauges with `_total` names, which only counters should have. The same figures by type are kept. */
const misnamed = ['handles', 'requests', 'resources'].map((what) => `nodejs_active_${what}_total`)

/** Metrics of every process: memory, CPU time, and gauges that are read on scrape. */
export function createRegistry() {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  for (const name of misnamed) registry.removeSingleMetric(name)
  const build = new Gauge({
    name: 'weir_build_info',
    help: 'Always 1; labels hold the Weir and Node versions.',
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
    /** Several gauges of one name, by their labels. */
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
    // The library's types name metric kinds by number, but its values are strings.
    families: async () => (await registry.getMetricsAsJSON()) as unknown as MetricFamily[],
  }
}

interface Figure {
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/** All metrics of a gateway. */
export function createMetrics() {
  const { registry, figures, watch, watchEach } = createRegistry()
  return { registry, figures, watch, watchEach, ...gatewaySeries(registry) }
}

/** The series of a gateway, without those of its process. */
export function gatewaySeries(registry: Registry) {
  const registers = [registry]
  return {
    ...requestSeries(registry),
    refusals: new Counter({
      name: 'weir_request_errors_total',
      help: 'Requests rejected or failed, by error name.',
      labelNames: ['error'],
      registers,
    }),
    refusalRecords: new Counter({
      name: 'weir_refusal_records_total',
      help: 'Refused requests of known keys, by outcome of their record: written, sampled, dropped, aggregated or lost.',
      labelNames: ['outcome'],
      registers,
    }),
    ...answerSeries(registers),
    refusedFields: new Counter({
      name: 'weir_provider_rejected_fields_total',
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
      name: 'weir_settlements_spooled_total',
      help: 'Settlements written to the local spool.',
      registers,
    }),
    degraded: new Counter({
      name: 'weir_admission_fallbacks_total',
      help: 'Times the per-process rate limiter took over because Redis was slow or unavailable.',
      registers,
    }),
    usageReads: new Counter({
      name: 'weir_usage_reads_total',
      help: 'Usage queries by the server that ran them: primary or replica.',
      labelNames: ['server'],
      registers,
    }),
    ...traceCounters(registers),
    mails: createMailCounter(registers),
    moderationBlocked: new Counter({
      name: 'weir_moderation_blocked_total',
      help: 'Prompts blocked by moderation, by source.',
      labelNames: ['source'],
      registers,
    }),
    moderationDown: new Counter({
      name: 'weir_moderation_failures_total',
      help: 'Prompts that could not be moderated, and were rejected or sent as configured.',
      registers,
    }),
  }
}

function traceCounters(registers: Registry[]) {
  return {
    spansSent: new Counter({
      name: 'weir_trace_spans_sent_total',
      help: 'Spans accepted by the trace collector.',
      registers,
    }),
    spansDropped: new Counter({
      name: 'weir_trace_spans_dropped_total',
      help: 'Spans that never reached the trace collector, by reason (queue_full, refused, stopped).',
      labelNames: ['reason'],
      registers,
    }),
  }
}

/** Metrics of open circuits. */
function circuitMetrics(registers: Registry[]) {
  return {
    circuitChanges: new Counter({
      name: 'weir_circuit_transitions_total',
      help: 'Circuit breaker transitions (opened, closed) by provider account, per model.',
      labelNames: ['provider', 'account', 'to'],
      registers,
    }),
    watchCircuits: (read: () => readonly SeenCircuit[]) => {
      const circuits: Gauge = new Gauge({
        name: 'weir_circuits',
        help: 'Circuit breakers of provider accounts by state (closed, half-open, open), one per requested model.',
        labelNames: ['provider', 'account', 'state'],
        registers,
        collect: () => showCircuits(circuits, read()),
      })
    },
  }
}

/** Every account reports all three states, so that a series does not vanish when a circuit closes. */
function showCircuits(gauge: Gauge, circuits: readonly SeenCircuit[]): void {
  gauge.reset()
  for (const { vendor: provider, account, state } of circuits) {
    for (const shown of ['closed', 'half-open', 'open']) {
      gauge.inc({ provider, account, state: shown }, Number(shown === state))
    }
  }
}

/** Counters of suspected abuse. */
function abuseCounters(registers: Registry[]) {
  return {
    unbilledCancels: new Counter({
      name: 'weir_unbilled_disconnects_total',
      help: 'Client disconnects before usage arrived.',
      registers,
    }),
    unbilledUsd: new Counter({
      name: 'weir_unbilled_usd_total',
      help: 'List-price value of responses whose client disconnected before usage arrived, in USD.',
      registers,
    }),
    unbilledExceeded: new Counter({
      name: 'weir_unbilled_limit_exceeded_total',
      help: 'Wallets that exceeded the daily limit of unbilled disconnects.',
      registers,
    }),
    connectionsRefused: new Counter({
      name: 'weir_connections_rejected_total',
      help: 'Connections closed immediately because too many were open in total or from one address.',
      registers,
    }),
    signInFailures: new Counter({
      name: 'weir_sign_in_failures_total',
      help: 'Sign-in attempts with a wrong password.',
      registers,
    }),
    codesRefused: new Counter({
      name: 'weir_redemption_failures_total',
      help: 'Redemption attempts with an invalid code.',
      registers,
    }),
    accountsAttacked: new Counter({
      name: 'weir_sign_in_accounts_under_attack_total',
      help: 'Accounts under password guessing from unknown devices, each at most once an hour.',
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
      help: 'Cost of requests beyond what could be charged, in billionths of a USD; the operator pays it.',
      registers,
    }),
    undercharged: new Counter({
      name: 'weir_undercharged_total',
      help: 'Answers whose cost, as the provider states it, exceeds the charge.',
      labelNames: ['provider', 'account'],
      registers,
    }),
    hedges: new Counter({
      name: 'weir_hedges_total',
      help: 'Requests that were due for a second provider, by outcome: won (the second answered first), lost, failed, cancelled or over_budget (not hedged).',
      labelNames: ['outcome'],
      registers,
    }),
    hedgeUsd: new Counter({
      name: 'weir_hedge_cost_usd_total',
      help: 'Estimated list-price cost of attempts that were cancelled because another provider answered first, in USD.',
      registers,
    }),
    usageDoubted: new Counter({
      name: 'weir_usage_implausible_total',
      help: 'Responses whose provider reported more tokens than the request could have used.',
      labelNames: ['provider', 'account'],
      registers,
    }),
  }
}

export type Metrics = ReturnType<typeof createMetrics>
export type GatewaySeries = ReturnType<typeof gatewaySeries>

/** Retries with idempotency keys, and requests that use the response cache. */
function answerSeries(registers: Registry[]) {
  return {
    retries: new Counter({
      name: 'weir_retries_total',
      help: 'Requests with a known idempotency key, by outcome: joined (got the answer of the first request), taken_over (the first gateway had died) or mismatched (used for another request).',
      labelNames: ['outcome'],
      registers,
    }),
    cacheRequests: new Counter({
      name: 'weir_cache_requests_total',
      help: 'Requests that use the response cache, by outcome: hit, joined (got the answer of an identical request), miss (called the upstream and caches its answer), bypassed (the answer cannot be cached, or the wait for it timed out) or failed (the cache was unavailable).',
      labelNames: ['outcome'],
      registers,
    }),
  }
}
