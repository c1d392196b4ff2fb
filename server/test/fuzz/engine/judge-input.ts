import { setImmediate as nextTurn } from 'node:timers/promises'
import { BrokenInvariant } from './expect.ts'
import type { FindingKind } from '../finding.ts'
import type { FuzzTarget } from '../target.ts'
import type { Watchdog } from './watchdog.ts'
import { measurePassMs, threadCpuMs } from './yardstick.ts'

/** A forbidden effect of an input. */
export interface Fault {
  readonly kind: FindingKind
  readonly message: string
  /** Identifies the fault by its origin rather than its message. */
  readonly key: string
}

/** CPU time of the thread. A slow or busy machine gets a proportionally higher limit by the yardstick. */
const stallMs = 50
const stallPasses = 25

/** The lower count applies to inputs that take ten times the limit. */
const repeats = { most: 7, least: 3 }

export interface Judge {
  judge(input: Buffer): Promise<Fault | null>
  /** The errors thrown outside of any call since the last call, such as in a next tick. */
  takeStray(): Promise<Fault | null>
  end(): void
}

export function createJudge(target: FuzzTarget, watchdog: Watchdog, options: { judgesTime: boolean }): Judge {
  const strays: unknown[] = []
  const keepStray = (error: unknown): void => void strays.push(error)
  process.on('uncaughtException', keepStray)

  async function run(input: Buffer): Promise<Fault | null> {
    watchdog.begin(target.name, input)
    try {
      const pending = target.run(input)
      if (pending !== undefined) await pending
      return null
    } catch (error) {
      return thrown(error)
    } finally {
      watchdog.end()
    }
  }

  async function judge(input: Buffer): Promise<Fault | null> {
    const startedMs = performance.now()
    const fault = await run(input)
    // This time includes waiting for a core; only the repeats decide in the end.
    if (fault !== null || !options.judgesTime || performance.now() - startedMs < stallMs / 2) return fault
    return judgeStall(input)
  }

  async function judgeStall(input: Buffer): Promise<Fault | null> {
    let leastMs = Number.POSITIVE_INFINITY
    let leastShare = Number.POSITIVE_INFINITY
    let turn = 0
    while (turn < (leastShare < 10 ? repeats.most : repeats.least)) {
      turn += 1
      const startedMs = threadCpuMs()
      await run(input)
      const tookMs = threadCpuMs() - startedMs
      if (tookMs < stallMs) return null
      leastShare = Math.min(leastShare, tookMs / Math.max(stallMs, stallPasses * measurePassMs()))
      if (leastShare < 1) return null
      leastMs = Math.min(leastMs, tookMs)
    }
    const message = `${input.length} bytes took ${Math.round(leastMs)} ms of CPU in the fastest of ${turn} repeats`
    return { kind: 'stalled', message, key: 'stalled' }
  }

  return {
    judge,
    takeStray: async () => {
      await nextTurn()
      const [stray] = strays.splice(0)
      return stray === undefined ? null : thrown(stray)
    },
    end: () => void process.off('uncaughtException', keepStray),
  }
}

function thrown(error: unknown): Fault {
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
  const name = error instanceof Error ? error.constructor.name : typeof error
  const where = /\/server\/(?:src|test)\/[^\s)]+/.exec(stack)?.[0] ?? ''
  const key = error instanceof BrokenInvariant ? error.invariant : `${name} ${where}`
  return { kind: 'threw', message: linesOf(stack), key }
}

/** The first lines; some messages quote a whole input. */
function linesOf(stack: string): string {
  const lines = stack.split('\n').slice(0, 8)
  return lines.map((line) => (line.length > 300 ? `${line.slice(0, 300)}…` : line)).join('\n')
}
