import { Counter, Gauge, type Registry } from 'prom-client'
import type { Figures } from '#http/operating/operating-routes.ts'
import { hasSucceeded, type PartState } from '#jobs/supervise.ts'
import type { WorkerFigure } from '#store/postgres/reconciliation/worker-figures.sql.ts'
import { createRegistry } from './metrics.ts'

/** Everything that a worker shows, named once. Figures are read when they are asked for. */
export function createWorkerMetrics(deps: {
  parts: () => readonly PartState[]
  figures: () => Promise<readonly WorkerFigure[]>
}): { shown: Figures; booksAgree: Gauge } {
  const { registry, figures: shown } = createRegistry()
  const registers = [registry]
  showParts(registers, deps.parts)
  const show = (figure: WorkerFigure['figure'], name: string, help: string, labelNames: string[] = []): void => {
    const gauge: Gauge = new Gauge({
      name,
      help,
      labelNames,
      registers,
      collect: async () => {
        const shown = (await deps.figures()).filter((read) => read.figure === figure)
        gauge.reset()
        for (const { label, value } of shown) {
          gauge.set(Object.fromEntries(labelNames.map((labelName) => [labelName, label])), value)
        }
      },
    })
  }
  show(
    'rollup_lag',
    'weir_rollup_lag_seconds',
    'Age of the oldest settled request that is not in the sums of usage yet.',
  )
  show('sink_lag', 'weir_sink_lag_seconds', 'Age of the oldest settled request that an event sink has not taken.', [
    'sink',
  ])
  show('sink_waiting', 'weir_sink_events_waiting', 'Events that a sink has not taken, at most 100,000.', ['sink'])
  show('videos', 'weir_video_jobs', 'Videos that are not over, by the state of their job.', ['state'])
  show('webhooks', 'weir_webhooks_waiting', 'Webhook calls to make, by whether they have failed before.', ['state'])
  show('webhook_lag', 'weir_webhook_lag_seconds', 'How long the oldest webhook call that is due has waited.')
  show('debt', 'weir_debt_usd', 'What wallets owe beyond their credit lines, in USD.')
  const booksAgree = new Gauge({
    name: 'weir_books_agree',
    help: '0 where the last reconciliation by this worker found a fault; 1 otherwise, also before its first.',
    registers,
  })
  booksAgree.set(1)
  return { shown, booksAgree }
}

function showParts(registers: Registry[], parts: () => readonly PartState[]): void {
  const options = { labelNames: ['part'] as const, registers }
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
}
