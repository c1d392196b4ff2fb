import type { Metric, Registry } from 'prom-client'
import { CounterSeries, HistogramSeries } from '#lib/series.ts'

// Responses take from a few milliseconds (rejected, cached) to many minutes (reasoning, videos of a synchronous
// provider).
const secondsBuckets = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600]
const batchSecondsBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]
const served = ['model', 'provider', 'account'] as const

/** Metrics recorded for every request, so they must be cheap. */
export function requestSeries(registry: Registry) {
  const series = {
    httpRequests: new CounterSeries({
      name: 'weir_http_requests_total',
      help: 'Completed HTTP requests by method, route and status.',
      labelNames: ['method', 'route', 'status'],
    }),
    generations: new CounterSeries({
      name: 'weir_generations_total',
      help: 'Completed generations by provider, provider account and outcome (answered, or the refund reason).',
      labelNames: ['provider', 'account', 'outcome'],
    }),
    attributed: new CounterSeries({
      name: 'weir_attributed_requests_total',
      help: 'Requests that name a customer, a tag or a run, by kind. A request that names several counts for each.',
      labelNames: ['by'],
    }),
    attempts: new CounterSeries({
      name: 'weir_attempts_total',
      help: 'Attempts at provider accounts, by outcome.',
      labelNames: ['provider', 'account', 'outcome'],
    }),
    failovers: new CounterSeries({
      name: 'weir_failovers_total',
      help: 'Failed attempts followed by another attempt, by failed account and reason.',
      labelNames: ['provider', 'account', 'reason'],
    }),
    tokens: new CounterSeries({
      name: 'weir_tokens_total',
      help: 'Tokens counted by providers; prompt tokens include cached tokens.',
      labelNames: [...served, 'kind'],
    }),
    firstToken: new HistogramSeries({
      name: 'weir_time_to_first_token_seconds',
      help: 'Time from acceptance to the first streamed token.',
      labelNames: served,
      buckets: secondsBuckets,
    }),
    duration: new HistogramSeries({
      name: 'weir_generation_duration_seconds',
      help: 'Time from acceptance to settlement.',
      labelNames: served,
      buckets: secondsBuckets,
    }),
    batchSize: new HistogramSeries({
      name: 'weir_batch_size',
      help: 'Holds or settlements per Postgres statement.',
      labelNames: ['queue'],
      buckets: [1, 2, 5, 10, 25, 50, 100, 250, 500],
    }),
    batchSeconds: new HistogramSeries({
      name: 'weir_batch_duration_seconds',
      help: 'Postgres time per batch of holds or settlements.',
      labelNames: ['queue'],
      buckets: batchSecondsBuckets,
    }),
  }
  // They print like the library's own metrics, which is all that its registry needs.
  for (const one of Object.values(series)) registry.registerMetric(one as unknown as Metric)
  return series
}
