import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { runClosedLoop, runPaced, type Target } from '../load.ts'
import { probeContender } from '../probe-contender.ts'
import { readCpuUs } from '../process-usage.ts'
import { concurrency } from '../settings.ts'
import { withContenders } from '../with-contenders.ts'
import {
  type CollectionFigures,
  type Part,
  parts,
  readTimelines,
  summariseCollections,
  type Recording,
  type Timeline,
} from './timeline.ts'

export interface TimelineFigures {
  readonly rate: number
  /** Requests of which every moment is known, and all. */
  readonly requests: { readonly complete: number; readonly all: number }
  readonly parts: Readonly<Record<Part | 'whole', PartFigures>>
  readonly items_per_statement: { readonly hold: number | null; readonly settle: number | null }
  readonly collections: CollectionFigures
  readonly event_loop_delay_ms: Recording['delayMs']
  readonly cpu_us_per_request: number
  /** CPU per request in the first second of a new process, divided by that of the warm process at the same rate. */
  readonly first_second_times_warm: number
}

interface PartFigures {
  readonly median_ms: number | null
  readonly p99_ms: number | null
  /** Of the mean of whole requests. */
  readonly share: number
}

const connectionsMax = 64
const firstSecondRate = 100

/** Records single requests at a fixed rate, and shows where their time goes. */
export async function measureTimeline(
  { warmUpMs, measureMs, rate }: { warmUpMs: number; measureMs: number; rate: number },
  { scratchFolder, log }: { scratchFolder: string; log: (line: string) => void },
): Promise<TimelineFigures> {
  const timelineFile = join(scratchFolder, 'timeline.json')
  return withContenders({ scratchFolder, log, names: ['weir'], timelineFile }, async ([entry]) => {
    const running = await entry?.contender?.start()
    if (running === undefined || running.pid === null) throw new Error('the gateway did not start')
    try {
      const { pid } = running
      const { json } = await probeContender(running)
      const firstUs = await measureSecond(json, pid)
      await runClosedLoop(json, { concurrency, durationMs: warmUpMs / 2 })
      await runPaced(json, { perSecond: rate, durationMs: warmUpMs / 2, connectionsMax })
      const warmUs = await measureSecond(json, pid)
      log(`timeline: ${rate} requests a second`)
      process.kill(pid, 'SIGUSR2')
      await runPaced(json, { perSecond: rate, durationMs: measureMs, connectionsMax })
      process.kill(pid, 'SIGUSR2')
      while (!existsSync(timelineFile)) await sleep(50)
      const figures = summarise(JSON.parse(readFileSync(timelineFile, 'utf8')), rate)
      return { ...figures, first_second_times_warm: round(firstUs / warmUs) }
    } finally {
      // It exits once the timeline is written.
      await running.stop()
    }
  })
}

/** CPU of the process in a second with 100 requests. */
async function measureSecond(target: Target, pid: number): Promise<number> {
  const beforeUs = readCpuUs(pid)
  await runPaced(target, { perSecond: firstSecondRate, durationMs: 1_000, connectionsMax })
  return readCpuUs(pid) - beforeUs
}

function summarise(recording: Recording, rate: number): Omit<TimelineFigures, 'first_second_times_warm'> {
  const timelines = readTimelines(recording)
  const all = recording.requests.length
  const wholes = timelines.map(wholeOf)
  const wholeMs = sum(wholes)
  const figuresOf = (values: readonly number[]): PartFigures => {
    const sorted = values.toSorted((one, other) => one - other)
    const share = wholeMs === 0 ? 0 : sum(values) / wholeMs
    return { median_ms: percentile(sorted, 0.5), p99_ms: percentile(sorted, 0.99), share: round(share) }
  }
  const figures = Object.fromEntries(parts.map((part) => [part, figuresOf(timelines.map((line) => line[part]))]))
  return {
    rate,
    requests: { complete: timelines.length, all },
    parts: { ...figures, whole: figuresOf(wholes) } as TimelineFigures['parts'],
    items_per_statement: { hold: itemsIn(recording, 'hold'), settle: itemsIn(recording, 'settle') },
    collections: summariseCollections(recording.collections, all),
    event_loop_delay_ms: recording.delayMs,
    cpu_us_per_request: round(recording.process.cpuUs / Math.max(1, all)),
  }
}

function wholeOf(timeline: Timeline): number {
  return sum(parts.map((part) => timeline[part]))
}

function itemsIn({ statements }: Recording, kind: 'hold' | 'settle'): number | null {
  const sizes = statements.filter((statement) => statement.kind === kind).map(({ ids }) => ids.length)
  return sizes.length === 0 ? null : round(sum(sizes) / sizes.length)
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

function percentile(sorted: readonly number[], share: number): number | null {
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
  return value === undefined ? null : round(value)
}

function round(value: number): number {
  return Number(value.toFixed(3))
}
