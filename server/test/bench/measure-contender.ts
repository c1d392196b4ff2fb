import { setTimeout as sleep } from 'node:timers/promises'
import { makeRequests } from './bench-requests.ts'
import type { Contender, RunningContender } from './contenders/contender.ts'
import { openHeldStreams } from './held-streams.ts'
import { judgeOutcome, type LoadResult, runClosedLoop, runPaced, type Target } from './load.ts'
import type { MockUpstream } from './mock-process.ts'
import { probeBurst, probeContender } from './probe-contender.ts'
import { readCoreBusyUs, readCpuUs, readRssKb } from './process-usage.ts'
import {
  type BenchSettings,
  chunksPerStream,
  concurrency,
  contenderCore,
  openStreamCount,
  pacedPerSecond,
} from './settings.ts'

export type Phase = 'json' | 'paced' | 'stream' | 'held'

export interface PhaseErrors {
  attempts: number
  errors: number
  firstError: string | null
}

/** What one round found out about one contender. Null where it was not asked, or has no process of its own. */
export interface RoundFigures {
  jsonPerSecond: number | null
  jsonCpuUs: number | null
  p50Ms: number | null
  p99Ms: number | null
  chunksPerSecond: number
  chunkCpuUs: number | null
  kbPerStream: number | null
  /** How much of its core the contender used under full load, and how much of that core went to others. */
  jsonBusyShare: number | null
  jsonOthersShare: number | null
  streamBusyShare: number | null
  /** Once a fifth of a second's requests was waiting, so its latencies are those of a queue. */
  isPacedSaturated: boolean
  phases: Record<Phase, PhaseErrors>
}

export async function measureContender(
  contender: Contender,
  mock: MockUpstream,
  settings: BenchSettings,
): Promise<RoundFigures> {
  if (contender.isForStreamsAlone === true) {
    return inFreshProcess(contender, (running) => measureStreams(running, settings))
  }
  // Memory is read in a process that has seen no load, since a heap that was once large hides what streams add.
  const held = await inFreshProcess(contender, (running) => measureMemory(running, mock, settings))
  const rates = await inFreshProcess(contender, (running) => measureRates(running, settings))
  return {
    ...rates.figures,
    kbPerStream: held.kbPerStream,
    phases: { ...rates.phases, held: held.errors },
  }
}

async function inFreshProcess<T>(contender: Contender, measure: (running: RunningContender) => Promise<T>): Promise<T> {
  const running = await contender.start()
  try {
    return await measure(running)
  } finally {
    await running.stop()
  }
}

async function measureMemory(running: RunningContender, mock: MockUpstream, { restMs }: BenchSettings) {
  const { json, burst } = await probeContender(running)
  await runClosedLoop(json, { concurrency: 8, durationMs: 300 })
  await runClosedLoop(burst, { concurrency: 8, durationMs: 300 })
  await sleep(restMs)
  const beforeKb = running.pid === null ? 0 : readRssKb(running.pid)
  const streams = await openHeldStreams(running.port, makeRequests(running, 'held'), openStreamCount)
  await sleep(restMs)
  const afterKb = running.pid === null ? 0 : readRssKb(running.pid)
  mock.finishHeld()
  const outcomes = await Promise.race([streams.ended, sleep(30_000, null, { ref: false })])
  streams.close()
  const cut = (outcomes ?? []).map((outcome) => judgeOutcome(outcome, { bodyBytesMin: 0, tail: burst.tail }))
  const failures = [...streams.failures, ...cut.filter((failure) => failure !== null)]
  if (outcomes === null) failures.push(...Array.from({ length: streams.opened }, () => 'a stream that did not end'))
  return {
    kbPerStream: running.pid === null || streams.opened === 0 ? null : (afterKb - beforeKb) / streams.opened,
    errors: { attempts: openStreamCount, errors: failures.length, firstError: failures[0] ?? null },
  }
}

async function measureRates(running: RunningContender, settings: BenchSettings) {
  const { json, burst } = await probeContender(running)
  await runClosedLoop(burst, { concurrency, durationMs: settings.warmUpMs })
  await runClosedLoop(json, { concurrency, durationMs: settings.warmUpMs })
  await sleep(500)
  const paced = await runPaced(json, { perSecond: pacedPerSecond, durationMs: settings.pacedMs, connectionsMax: 64 })
  const jsonRun = await measureClosedLoop(running, json, settings.jsonMs)
  const streamRun = await measureClosedLoop(running, burst, settings.streamMs)
  return {
    figures: {
      jsonPerSecond: jsonRun.perSecond,
      jsonCpuUs: jsonRun.cpuUsEach,
      jsonBusyShare: jsonRun.busyShare,
      jsonOthersShare: jsonRun.othersShare,
      p50Ms: percentile(paced.latenciesMs, 0.5),
      p99Ms: percentile(paced.latenciesMs, 0.99),
      isPacedSaturated: paced.backlogMax > pacedPerSecond / 5,
      ...streamFigures(streamRun),
    },
    phases: { json: jsonRun.errors, paced: errorsOf(paced), stream: streamRun.errors },
  }
}

async function measureStreams(running: RunningContender, settings: BenchSettings): Promise<RoundFigures> {
  const burst = await probeBurst(running)
  await runClosedLoop(burst, { concurrency, durationMs: settings.warmUpMs })
  await sleep(500)
  const streamRun = await measureClosedLoop(running, burst, settings.streamMs)
  return {
    jsonPerSecond: null,
    jsonCpuUs: null,
    p50Ms: null,
    p99Ms: null,
    kbPerStream: null,
    jsonBusyShare: null,
    jsonOthersShare: null,
    isPacedSaturated: false,
    ...streamFigures(streamRun),
    phases: { json: notAsked, paced: notAsked, stream: streamRun.errors, held: notAsked },
  }
}

const notAsked: PhaseErrors = { attempts: 0, errors: 0, firstError: null }

function streamFigures({ perSecond, cpuUsEach, busyShare }: ClosedLoopFigures) {
  return {
    chunksPerSecond: perSecond * chunksPerStream,
    chunkCpuUs: cpuUsEach === null ? null : cpuUsEach / chunksPerStream,
    streamBusyShare: busyShare,
  }
}

type ClosedLoopFigures = Awaited<ReturnType<typeof measureClosedLoop>>

async function measureClosedLoop({ pid }: RunningContender, target: Target, durationMs: number) {
  const cpuBeforeUs = pid === null ? 0 : readCpuUs(pid)
  const coreBeforeUs = readCoreBusyUs(contenderCore)
  const result = await runClosedLoop(target, { concurrency, durationMs })
  const cpuUs = pid === null ? 0 : readCpuUs(pid) - cpuBeforeUs
  const othersUs = Math.max(0, readCoreBusyUs(contenderCore) - coreBeforeUs - cpuUs)
  const elapsedUs = result.elapsedMs * 1_000
  return {
    perSecond: result.completed / (result.elapsedMs / 1_000),
    cpuUsEach: pid === null || result.completed === 0 ? null : cpuUs / result.completed,
    busyShare: pid === null ? null : cpuUs / elapsedUs,
    othersShare: pid === null ? null : othersUs / elapsedUs,
    errors: errorsOf(result),
  }
}

function errorsOf({ completed, errors, firstError }: LoadResult): PhaseErrors {
  return { attempts: completed + errors, errors, firstError }
}

function percentile(sorted: Float64Array, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
