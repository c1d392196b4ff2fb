import { Counter, Gauge, type Registry } from 'prom-client'
import type { Figures } from '#http/operating/operating-routes.ts'
import { hasSucceeded, type PartState } from '#jobs/supervise.ts'
import type { WorkerFigure } from '#store/postgres/reconciliation/worker-figures.sql.ts'
import { createMailCounter, type MailCounter } from './mail-counter.ts'
import { createRegistry } from './metrics.ts'

/** All metrics of a worker. Gauges are read on scrape. */
export function createWorkerMetrics(deps: {
  parts: () => readonly PartState[]
  figures: () => Promise<readonly WorkerFigure[]>
}): { shown: Figures; booksAgree: Gauge; mails: MailCounter } {
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
  show('rollup_lag', 'weir_rollup_lag_seconds', 'Age of the oldest settled request that is not rolled up yet.')
  show('sink_lag', 'weir_sink_lag_seconds', 'Age of the oldest settled request that the event sink has not accepted.', [
    'sink',
  ])
  show(
    'sink_waiting',
    'weir_sink_events_pending',
    'Events that the sink has not accepted yet, counted up to 100,000.',
    ['sink'],
  )
  show('videos', 'weir_video_jobs', 'Unfinished video jobs by state.', ['state'])
  show('webhooks', 'weir_webhook_deliveries_pending', 'Pending webhook deliveries, by whether they failed before.', [
    'state',
  ])
  show('webhook_lag', 'weir_webhook_lag_seconds', 'Wait time of the oldest due webhook delivery.')
  show('mails', 'weir_emails_pending', 'Emails that are not sent yet, by whether they failed before.', ['state'])
  show('database_bytes', 'weir_database_bytes', 'Size of the database, without the write-ahead log.')
  show('database_disk_bytes', 'weir_database_disk_bytes', 'Size of the disk of Postgres, as configured.')
  show('debt', 'weir_debt_usd', 'Wallet debt beyond credit lines, in USD.')
  const booksAgree = new Gauge({
    name: 'weir_ledger_consistent',
    help: '0 if the last reconciliation by this worker found a discrepancy; otherwise 1, also before the first run.',
    registers,
  })
  booksAgree.set(1)
  return { shown, booksAgree, mails: createMailCounter(registers) }
}

function showParts(registers: Registry[], parts: () => readonly PartState[]): void {
  const options = { labelNames: ['task'] as const, registers }
  const up = new Gauge({
    ...options,
    name: 'weir_worker_task_up',
    help: '0 while a worker task keeps failing.',
    collect: () => {
      for (const { name, isDown } of parts()) up.set({ task: name }, Number(!isDown))
    },
  })
  const failures = new Counter({
    ...options,
    name: 'weir_worker_task_failures_total',
    help: 'Failed runs of a worker task.',
    collect: () => {
      failures.reset()
      for (const { name, failures: count } of parts()) failures.inc({ task: name }, count)
    },
  })
  const succeeded = new Gauge({
    ...options,
    name: 'weir_worker_task_last_success_timestamp_seconds',
    help: 'Time of the last successful run of a worker task, in Unix seconds.',
    collect: () => {
      for (const { name, succeededAtMs } of parts().filter(hasSucceeded)) {
        succeeded.set({ task: name }, succeededAtMs / 1_000)
      }
    },
  })
}
