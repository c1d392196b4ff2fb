import { Counter, Gauge, type Registry } from 'prom-client'
import { hasSucceeded, type PartState } from '#jobs/supervise.ts'
import { createRegistry } from './metrics.ts'

/** Everything that a worker counts, named once. Figures of its parts are read when they are asked for. */
export function createWorkerMetrics(parts: () => readonly PartState[]): { registry: Registry } {
  const { registry } = createRegistry()
  const options = { labelNames: ['part'] as const, registers: [registry] }
  const up = new Gauge({
    ...options,
    name: 'weir_worker_part_up',
    help: '0 while a part of the worker fails again and again.',
    collect: () => {
      for (const { name, isDown } of parts()) up.set({ part: name }, Number(!isDown))
    },
  })
  const failures = new Counter({
    ...options,
    name: 'weir_worker_part_failures_total',
    help: 'Rounds of a part that failed.',
    collect: () => {
      failures.reset()
      for (const { name, failures: count } of parts()) failures.inc({ part: name }, count)
    },
  })
  const succeeded = new Gauge({
    ...options,
    name: 'weir_worker_part_success_timestamp_seconds',
    help: 'When a round of the part last went well.',
    collect: () => {
      for (const { name, succeededAtMs } of parts().filter(hasSucceeded)) {
        succeeded.set({ part: name }, succeededAtMs / 1_000)
      }
    },
  })
  return { registry }
}
