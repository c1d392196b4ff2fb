import type { Metric, Registry } from 'prom-client'
import { CounterSeries, HistogramSeries } from '#lib/series.ts'

// Answers take from a few milliseconds (refused, cached) to many minutes (reasoning, videos of a host that answers at once).
const secondsBuckets = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600]
const batchSecondsBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]
const served = ['model', 'provider', 'account'] as const

/** What is counted for every request, so it must cost little. */
export function requestSeries(registry: Registry) {
  const series = {
    httpRequests: new CounterSeries({
      name: 'weir_http_requests_total',
      help: 'Requests that have ended, by method, route and status.',
      labelNames: ['method', 'route', 'status'],
    }),
    generations: new CounterSeries({
      name: 'weir_generations_total',
      help: 'Finished requests by provider, provider account and outcome (answered, or the refund reason).',
      labelNames: ['provider', 'account', 'outcome'],
    }),
    attempts: new CounterSeries({
      name: 'weir_attempts_total',
      help: 'Tries at provider accounts, by how they ended.',
      labelNames: ['provider', 'account', 'outcome'],
    }),
    failovers: new CounterSeries({
      name: 'weir_failovers_total',
      help: 'Tries after which the request went on to another try, by the account that failed and the reason.',
      labelNames: ['provider', 'account', 'reason'],
    }),
    tokens: new CounterSeries({
      name: 'weir_tokens_total',
      help: 'Tokens that providers counted; cached ones are among those of the prompt.',
      labelNames: [...served, 'kind'],
    }),
    firstToken: new HistogramSeries({
      name: 'weir_first_token_seconds',
      help: 'From acceptance to the first token of a stream.',
      labelNames: served,
      buckets: secondsBuckets,
    }),
    duration: new HistogramSeries({
      name: 'weir_generation_duration_seconds',
      help: 'From acceptance to settlement.',
      labelNames: served,
      buckets: secondsBuckets,
    }),
    batchSize: new HistogramSeries({
      name: 'weir_batch_size',
      help: 'Holds or settles that went to Postgres in one statement.',
      labelNames: ['queue'],
      buckets: [1, 2, 5, 10, 25, 50, 100, 250, 500],
    }),
    batchSeconds: new HistogramSeries({
      name: 'weir_batch_duration_seconds',
      help: 'How long Postgres took for a batch of holds or settles.',
      labelNames: ['queue'],
      buckets: batchSecondsBuckets,
    }),
  }
  // They print like the library's own, which is all that its registry asks of them.
  for (const one of Object.values(series)) registry.registerMetric(one as unknown as Metric)
  return series
}
