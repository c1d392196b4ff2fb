import { type Metric, Registry } from 'prom-client'
import { expect, it } from 'vitest'
import { CounterSeries, HistogramSeries } from './series.ts'

async function printed(series: { name: string }): Promise<string> {
  const registry = new Registry()
  registry.registerMetric(series as unknown as Metric)
  return registry.metrics()
}

it('counts each combination of labels by itself', async () => {
  const counter = new CounterSeries({ name: 'calls_total', help: 'Calls.', labelNames: ['a', 'b'] })
  counter.inc({ a: 'x', b: 'y' })
  counter.inc({ b: 'y', a: 'x' }, 2)
  counter.inc({ a: 'y', b: 'x"' })
  expect(await printed(counter)).toBe(
    '# HELP calls_total Calls.\n# TYPE calls_total counter\ncalls_total{a="x",b="y"} 3\ncalls_total{a="y",b="x\\""} 1\n',
  )
})

it('adds up what is below each bound of a histogram', async () => {
  const histogram = new HistogramSeries({ name: 'took', help: 'Took.', labelNames: ['a'], buckets: [0.5, 1] })
  for (const value of [0.5, 0.6, 7]) histogram.observe({ a: 'x' }, value)
  expect((await printed(histogram)).split('\n').slice(2)).toEqual([
    'took_bucket{a="x",le="0.5"} 1',
    'took_bucket{a="x",le="1"} 2',
    'took_bucket{a="x",le="+Inf"} 3',
    'took_sum{a="x"} 8.1',
    'took_count{a="x"} 3',
    '',
  ])
})
