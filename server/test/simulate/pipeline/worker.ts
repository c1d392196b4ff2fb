import { supervise } from '#jobs/supervise.ts'
import { sweepInBatches } from '#jobs/worker-parts.ts'
import { watchFault } from '#lib/fault-watch.ts'
import { sweepHolds } from '#store/postgres/money/holds.sql.ts'
import type { Process } from '../machine/process.ts'
import type { Wire } from '../wire.ts'
import { sweepEveryMs } from './gateway.ts'

/** The worker's part of money: it releases holds whose lease has expired. */
export function startWorker(process: Process, wire: Wire): void {
  const pool = wire.poolOf(process, { isDurable: true })
  const run = sweepInBatches(
    (atMost) => sweepHolds(pool, atMost),
    () => {},
  )
  supervise({
    parts: [{ name: 'sweep', everyMs: sweepEveryMs, run }],
    watch: () => watchFault({ tell: () => {}, nowMs: () => process.nowMs }),
    nowMs: () => process.nowMs,
    pause: (ms) => new Promise((resolve) => process.after(ms, resolve)),
  })
}
