import type { Drill } from '../drill.ts'
import type { DrillOrder, DrillReport } from './drill-order.ts'
import { type Lane, startLane } from './start-lane.ts'

/** Runs drills side by side in the given order; then those that must run alone, one by one. */
export async function runInLanes(
  drills: readonly Drill[],
  options: { lanes: number; order: Omit<DrillOrder, 'name'>; onReport: (report: DrillReport) => void },
): Promise<void> {
  const waiting = drills.filter(({ alone }) => alone !== true)
  const alone = drills.filter(({ alone }) => alone === true)
  const lanes = Array.from({ length: Math.max(1, Math.min(options.lanes, waiting.length)) }, startLane)
  const stop = listenForSignals(lanes)
  const run = async (lane: Lane, { name }: Drill): Promise<void> => {
    options.onReport(await lane.run({ name, ...options.order }))
  }
  try {
    await Promise.all(
      lanes.map(async (lane) => {
        for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await run(lane, next)
      }),
    )
    const [first, ...others] = lanes
    await Promise.all(others.map((lane) => lane.end()))
    if (first !== undefined) for (const drill of alone) await run(first, drill)
  } finally {
    await Promise.all(lanes.map((lane) => lane.end()))
    stop()
  }
}

/** A signal ends the drill processes before this process, so that nothing of theirs is left. */
function listenForSignals(lanes: readonly Lane[]): () => void {
  const end = async (): Promise<void> => {
    await Promise.all(lanes.map((lane) => lane.end()))
    process.exit(130)
  }
  const signals = ['SIGINT', 'SIGTERM'] as const
  // Not `once`: a second signal must not end the process while it cleans up.
  for (const signal of signals) process.on(signal, end)
  return () => {
    for (const signal of signals) process.off(signal, end)
  }
}
