import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import { expect, it } from 'vitest'
import { type MetricFamily, openMetrics } from './open-metrics.ts'
import { HistogramSeries } from './series.ts'

async function printed(registry: Registry): Promise<string> {
  return openMetrics((await registry.getMetricsAsJSON()) as unknown as MetricFamily[])
}

it('names counters without their ending, and leaves the registry as it was', async () => {
  const registry = new Registry()
  const counter = new Counter({
    name: 'calls_total',
    help: 'Calls "of" \\ them.',
    labelNames: ['a'],
    registers: [registry],
  })
  counter.inc({ a: 'x"\n' }, 2)
  const before = await registry.metrics()
  expect(await printed(registry)).toBe(
    '# HELP calls Calls \\"of\\" \\\\ them.\n# TYPE calls counter\ncalls_total{a="x\\"\\n"} 2\n# EOF\n',
  )
  expect(await registry.metrics()).toBe(before)
})

it('gives no type to a counter whose short name is taken, or that has none', async () => {
  const registry = new Registry()
  const options = { help: 'Help.', registers: [registry] }
  new Counter({ ...options, name: 'degraded_total' }).inc()
  new Gauge({ ...options, name: 'degraded' }).set(Number.POSITIVE_INFINITY)
  new Counter({ ...options, name: 'odd' }).inc()
  expect((await printed(registry)).split('\n').filter((line) => !line.startsWith('# HELP'))).toEqual([
    '# TYPE degraded_total unknown',
    'degraded_total 1',
    '# TYPE degraded gauge',
    'degraded +Inf',
    '# TYPE odd unknown',
    'odd 1',
    '# EOF',
    '',
  ])
})

it('prints histograms of the library as the library does', async () => {
  const registry = new Registry()
  new Histogram({ name: 'took', help: 'Took.', buckets: [1], registers: [registry] }).observe(0.5)
  const usual = await registry.metrics()
  expect(await printed(registry)).toBe(`${usual.trimEnd()}\n# EOF\n`)
})

it('has the last exemplar of each bucket of a series, that without a bound included', () => {
  const series = new HistogramSeries({ name: 'took', help: 'Took.', labelNames: ['a'], buckets: [0.5, 1] })
  series.observe({ a: 'x' }, 0.25, { traceId: 'first', atMs: 1_000 })
  series.observe({ a: 'x' }, 0.5, { traceId: 'second', atMs: 1_800_000_000_500 })
  series.observe({ a: 'x' }, 0.75)
  series.observe({ a: 'x' }, 7, { traceId: 'third', atMs: 3_000 })
  return expect(series.get().then((family) => openMetrics([family]))).resolves.toBe(
    [
      '# HELP took Took.',
      '# TYPE took histogram',
      'took_bucket{a="x",le="0.5"} 2 # {trace_id="second"} 0.5 1800000000.5',
      'took_bucket{a="x",le="1"} 3',
      'took_bucket{a="x",le="+Inf"} 4 # {trace_id="third"} 7 3',
      'took_sum{a="x"} 8.5',
      'took_count{a="x"} 4',
      '# EOF',
      '',
    ].join('\n'),
  )
})
