/** The growth of CPU time with the input. A failing test shows both figures. */
interface CpuGrowth {
  readonly isWithin: boolean
  readonly smallMs: number
  readonly largeMs: number
}

interface GrowingWork<Input> {
  /** Creates an input of a size, outside the measured time. */
  readonly inputOf: (size: number) => Input
  readonly run: (input: Input) => unknown
  readonly small?: number
  readonly large?: number
  /** The maximum ratio of the large input's CPU time to the small one's. */
  readonly factorMax?: number
}

/**
 * With eight times the input, linear work takes 8 times as long, and quadratic work 64 times: the bound is in the
 * middle.
 */
const linearFactorMax = 24
/** Linux counts the CPU time of a running thread in ticks of up to 4 ms. Work under 5 ms counts as 5 ms. */
const tickMs = 5
const rounds = { small: 3, large: 5 }

/**
 * Compares the CPU time of this thread for a small and a large input. Waiting for a core does not count, and the
 * minimum of several rounds does, so neither other processes nor garbage collection nor the compiler can make linear
 * work look quadratic.
 */
export function cpuGrowth<Input>(work: GrowingWork<Input>): CpuGrowth {
  const { inputOf, run, small = 5_000, large = 40_000, factorMax = linearFactorMax } = work
  const [smallInput, largeInput] = [inputOf(small), inputOf(large)]
  let smallMs = Number.POSITIVE_INFINITY
  for (let round = 0; round < rounds.small; round += 1)
    smallMs = Math.min(
      smallMs,
      cpuMsOf(() => run(smallInput)),
    )
  const boundMs = factorMax * Math.max(smallMs, tickMs)
  let largeMs = Number.POSITIVE_INFINITY
  for (let round = 0; round < rounds.large && largeMs > boundMs; round += 1) {
    largeMs = Math.min(
      largeMs,
      cpuMsOf(() => run(largeInput)),
    )
    // Only the work itself takes this long, so every round would.
    if (largeMs > 4 * boundMs) break
  }
  return { isWithin: largeMs <= boundMs, smallMs, largeMs }
}

function cpuMsOf(run: () => unknown): number {
  const startedMs = threadCpuMs()
  run()
  return threadCpuMs() - startedMs
}

function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
