import type { RunningContender } from './contenders/contender.ts'
import { type LoadResult, runClosedLoop, runPaced, type Target } from './load.ts'
import { readCoreBusyUs, readCpuUs } from './process-usage.ts'
import {
  type BenchSettings,
  chunksPerLongStream,
  chunksPerStream,
  concurrency,
  contenderCore,
  loadCore,
} from './settings.ts'

export const phases = ['json', 'one_client', 'paced_50', 'paced_100', 'paced_500', 'stream', 'long_stream'] as const
export type Phase = (typeof phases)[number]

export interface LookErrors {
  attempts: number
  errors: number
  firstError: string | null
}

/**
 * The measurements of one contender in one phase of one window. Null if it was not measured or has no process of its
 * own.
 */
export interface Look {
  /** Requests, or stream chunks. */
  readonly perSecond: number | null
  /** CPU of its process per request or chunk. */
  readonly cpuUs: number | null
  readonly p50Ms: number | null
  readonly p99Ms: number | null
  /** Postgres per request: CPU, and write-ahead log. */
  readonly postgresCpuUs: number | null
  readonly walBytes: number | null
  /** The share of its core that the contender used. */
  readonly busyShare: number | null
  /** The CPU of processes outside the bench meanwhile, in cores. */
  readonly others: number
  /** A fifth of a second's requests was waiting, so the latencies are those of a queue. */
  readonly isSaturated: boolean
  readonly errors: LookErrors
}

export type Targets = Readonly<Partial<Record<Phase, Target>>>

const connectionsMax = 64

/** Measures a contender for a second or two. */
export function lookAt(
  running: RunningContender,
  { phase, target, settings }: { phase: Phase; target: Target; settings: BenchSettings },
): Promise<Look> {
  switch (phase) {
    case 'json':
      return look(running, 1, () => runClosedLoop(target, { concurrency, durationMs: settings.jsonMs }))
    case 'one_client':
      return look(running, 1, () => runClosedLoop(target, { concurrency: 1, durationMs: settings.oneClientMs }))
    case 'paced_50':
      return lookPaced(running, target, { perSecond: 50, durationMs: settings.slowPacedMs })
    case 'paced_100':
      return lookPaced(running, target, { perSecond: 100, durationMs: settings.pacedMs })
    case 'paced_500':
      return lookPaced(running, target, { perSecond: 500, durationMs: settings.pacedMs })
    case 'stream':
    case 'long_stream': {
      const chunks = phase === 'stream' ? chunksPerStream : chunksPerLongStream
      return look(running, chunks, () => runClosedLoop(target, { concurrency, durationMs: settings.streamMs }))
    }
  }
}

function lookPaced(
  running: RunningContender,
  target: Target,
  { perSecond, durationMs }: { perSecond: number; durationMs: number },
): Promise<Look> {
  return look(running, 1, async () => {
    const paced = await runPaced(target, { perSecond, durationMs, connectionsMax })
    return { ...paced, isSaturated: paced.backlogMax > perSecond / 5 }
  })
}

async function look(
  running: RunningContender,
  chunks: number,
  load: () => Promise<LoadResult & { isSaturated?: boolean }>,
): Promise<Look> {
  const before = await meter(running)
  const result = await load()
  const after = await meter(running)
  const { completed, elapsedMs, latenciesMs } = result
  const spent = (read: (reading: Reading) => number | null): number | null => {
    const [from, to] = [read(before), read(after)]
    return from === null || to === null || completed === 0 ? null : to - from
  }
  const each = (amount: number | null, of: number): number | null => (amount === null ? null : amount / completed / of)
  const cpuUs = spent(({ contenderUs }) => contenderUs)
  const othersUs = after.coresUs - before.coresUs - (after.oursUs - before.oursUs)
  return {
    perSecond: completed === 0 ? null : (completed * chunks) / (elapsedMs / 1_000),
    cpuUs: each(cpuUs, chunks),
    p50Ms: percentile(latenciesMs, 0.5),
    p99Ms: percentile(latenciesMs, 0.99),
    postgresCpuUs: each(
      spent(({ postgresUs }) => postgresUs),
      1,
    ),
    walBytes: each(
      spent(({ walBytes }) => walBytes),
      1,
    ),
    busyShare: cpuUs === null ? null : cpuUs / (elapsedMs * 1_000),
    others: Math.max(0, othersUs) / ((after.atMs - before.atMs) * 1_000),
    isSaturated: result.isSaturated ?? false,
    errors: { attempts: completed + result.errors, errors: result.errors, firstError: result.firstError },
  }
}

interface Reading {
  readonly atMs: number
  readonly contenderUs: number | null
  readonly postgresUs: number | null
  readonly walBytes: number | null
  /** The CPU of both cores, and the part of this process and its descendants. */
  readonly coresUs: number
  readonly oursUs: number
}

async function meter({ pid, engines }: RunningContender): Promise<Reading> {
  const walBytes = engines === undefined ? null : await engines.walBytes()
  return {
    atMs: performance.now(),
    contenderUs: pid === null ? null : readCpuUs(pid),
    postgresUs: engines === undefined ? null : readCpuUs(engines.postgresPid),
    walBytes,
    coresUs: readCoreBusyUs(contenderCore) + readCoreBusyUs(loadCore),
    oursUs: readCpuUs(process.pid),
  }
}

function percentile(sorted: Float64Array, share: number): number | null {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? null
}
