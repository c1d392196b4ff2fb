/** How long the event loop went without a turn, and how much of that time its own thread was at work. */
export interface LoopGap {
  readonly startMs: number
  readonly endMs: number
  readonly cpuMs: number
}

export interface LoopProbe {
  /** The gaps so far that were longer than a turn should be. */
  readonly gaps: readonly LoopGap[]
  stop(): void
}

const everyMs = 5

/**
 * Looks at the clock in every turn. On a busy machine the whole process may have to wait for a core, which blocks nobody else's fault:
 * the time that this thread has worked tells the two apart.
 */
export function startLoopProbe(): LoopProbe {
  const gaps: LoopGap[] = []
  let last = { atMs: performance.now(), cpuMs: cpuMs() }
  const timer = setInterval(() => {
    const now = { atMs: performance.now(), cpuMs: cpuMs() }
    if (now.atMs - last.atMs > 2 * everyMs) {
      gaps.push({ startMs: last.atMs, endMs: now.atMs, cpuMs: now.cpuMs - last.cpuMs })
    }
    last = now
  }, everyMs)
  return { gaps, stop: () => clearInterval(timer) }
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
