import { makeRequests } from '../bench-requests.ts'
import type { RunningContender } from '../contenders/contender.ts'
import { divide } from '../divide.ts'
import { type Figure, figureOf } from '../figure.ts'
import { runClosedLoop, type Target } from '../load.ts'
import { burst, jsonText, longBurst, type Mode } from '../mock-answers.ts'
import { readCpuUs } from '../process-usage.ts'
import { withContenders } from '../with-contenders.ts'

/** CPU of a request in microseconds, relayed and from the cache, and how many times cheaper the hit is. */
interface CacheFigure {
  readonly relayed_us: Figure | null
  readonly hit_us: Figure | null
  readonly times_cheaper: Figure | null
}

export type CacheFigures = Readonly<Record<Measured, CacheFigure>>

const measured = ['json', 'burst', 'long'] as const satisfies Mode[]
type Measured = (typeof measured)[number]

// A complete stream is at least as long as its words.
const bytesMin = { json: jsonText.length, burst: burst.text.length, long: longBurst.text.length }
const concurrency = 16

/** Measures relayed requests and hits of one gateway in turn, so that a disturbance affects both. */
export async function measureCache(
  { windows, warmUpMs, measureMs }: { windows: number; warmUpMs: number; measureMs: number },
  { scratchFolder, log }: { scratchFolder: string; log: (line: string) => void },
): Promise<CacheFigures> {
  return withContenders({ scratchFolder, log, names: ['weir'] }, async ([entry]) => {
    if (entry?.contender == null) throw new Error('the gateway is not available')
    const running = await entry.contender.start()
    try {
      const figures: Partial<Record<Measured, CacheFigure>> = {}
      for (const mode of measured) {
        const [relayed, hits] = [targetOf(running, mode, false), targetOf(running, mode, true)]
        for (const target of [relayed, hits]) await cpuUsOf(running, target, warmUpMs)
        const [relayedUs, hitUs]: [number[], number[]] = [[], []]
        for (let window = 0; window < windows; window += 1) {
          relayedUs.push(await cpuUsOf(running, relayed, measureMs))
          hitUs.push(await cpuUsOf(running, hits, measureMs))
          log(`cache: ${mode}, window ${window + 1} of ${windows}`)
        }
        const times = relayedUs.map((us, window) => divide(us, hitUs[window] ?? 0))
        figures[mode] = {
          relayed_us: figureOf(relayedUs, 0),
          hit_us: figureOf(hitUs, 0),
          times_cheaper: figureOf(times, 2),
        }
      }
      const none: CacheFigure = { relayed_us: null, hit_us: null, times_cheaper: null }
      return { json: none, burst: none, long: none, ...figures }
    } finally {
      await running.stop()
    }
  })
}

function targetOf(running: RunningContender, mode: Measured, cached: boolean): Target {
  // Each wallet asks the upstream once, so few of them: that must be over before the first window.
  const callers = running.callers.slice(0, concurrency)
  const requests = makeRequests({ ...running, callers, cached }, mode)
  return { port: running.port, requests, bodyBytesMin: bytesMin[mode], tail: mode === 'json' ? '}' : '[DONE]\n\n' }
}

/** The CPU of the gateway, per request. */
async function cpuUsOf({ pid }: RunningContender, target: Target, durationMs: number): Promise<number> {
  if (pid === null) throw new Error('the gateway has no process')
  const beforeUs = readCpuUs(pid)
  const { completed, firstError } = await runClosedLoop(target, { concurrency, durationMs })
  if (firstError !== null) throw new Error(`a request failed: ${firstError}`)
  return (readCpuUs(pid) - beforeUs) / completed
}
