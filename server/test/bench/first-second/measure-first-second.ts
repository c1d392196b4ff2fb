import { makeRequests } from '../bench-requests.ts'
import type { Contender } from '../contenders/contender.ts'
import { divide } from '../divide.ts'
import { runPaced, type Target } from '../load.ts'
import { jsonText } from '../mock-answers.ts'
import { readCpuUs, readRssKb } from '../process-usage.ts'
import { withContenders } from '../with-contenders.ts'

/** One new process under a steady load from its first moment. */
export interface NewProcess {
  /** From the start of the process until it listens for clients. */
  readonly start_ms: number
  /** Resident memory at that moment, and after the last second. */
  readonly rss_mb: readonly [started: number, loaded: number]
  /** CPU of a request in microseconds, second by second. */
  readonly cpu_us: readonly number[]
  /** 99th percentile of the latency in milliseconds, second by second. */
  readonly p99_ms: readonly number[]
  /** CPU of the first second divided by that of the last. */
  readonly first_times_warm: number
}

export type FirstSecondFigures = Readonly<Record<FirstSecondContender, readonly NewProcess[]>>

const contenders = ['weir', 'weir-cold'] as const
export type FirstSecondContender = (typeof contenders)[number]

const connectionsMax = 64

/** Starts gateways with and without warm-up in turn, and measures their first seconds. */
export async function measureFirstSecond(
  { processes, seconds, rate }: { processes: number; seconds: number; rate: number },
  { scratchFolder, log }: { scratchFolder: string; log: (line: string) => void },
): Promise<FirstSecondFigures> {
  return withContenders({ scratchFolder, log, names: contenders }, async (entries) => {
    const found: Record<FirstSecondContender, NewProcess[]> = { weir: [], 'weir-cold': [] }
    for (let turn = 0; turn < processes; turn += 1) {
      for (const name of contenders) {
        const contender = entries.find((entry) => entry.name === name)?.contender
        if (contender === undefined || contender === null) throw new Error(`${name} is not available`)
        log(`first-second: ${name}, process ${turn + 1} of ${processes}`)
        found[name].push(await measureProcess(contender, { seconds, rate }))
      }
    }
    return found
  })
}

async function measureProcess(
  contender: Contender,
  { seconds, rate }: { seconds: number; rate: number },
): Promise<NewProcess> {
  const startedAtMs = performance.now()
  const running = await contender.start()
  const startMs = performance.now() - startedAtMs
  try {
    const { pid, port } = running
    if (pid === null) throw new Error('the gateway has no process')
    const startedMb = rssMbOf(pid)
    // Nothing is sent before the first second, not even a probe, so the end of an answer is known from the mock.
    const target: Target = { port, requests: makeRequests(running, 'json'), bodyBytesMin: jsonText.length, tail: '}' }
    const cpuUs: number[] = []
    const p99Ms: number[] = []
    for (let second = 0; second < seconds; second += 1) {
      const beforeUs = readCpuUs(pid)
      const result = await runPaced(target, { perSecond: rate, durationMs: 1_000, connectionsMax })
      if (result.firstError !== null) throw new Error(`a request failed: ${result.firstError}`)
      cpuUs.push(Math.round((readCpuUs(pid) - beforeUs) / rate))
      p99Ms.push(result.latenciesMs[Math.floor(rate * 0.99)] ?? 0)
    }
    const first_times_warm = divide(cpuUs[0] ?? 0, cpuUs.at(-1) ?? 0) ?? 0
    return {
      start_ms: Math.round(startMs),
      rss_mb: [startedMb, rssMbOf(pid)],
      cpu_us: cpuUs,
      p99_ms: p99Ms,
      first_times_warm,
    }
  } finally {
    await running.stop()
  }
}

function rssMbOf(pid: number): number {
  return Math.round(readRssKb(pid) / 1_024)
}
