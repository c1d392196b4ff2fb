import { setImmediate as nextTurn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

interface Growth {
  readonly bytesPerRun: number
  readonly input: Buffer
}

interface Look {
  readonly runs: number
  /** The minimum growth per round. */
  readonly bytesPerRoundMin: number
}

type Run = (input: Buffer) => Promise<unknown>

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

const rounds = 5
/** Less growth per input than a small number in an array is noise, not a leak. */
const bytesPerRunMin = 6
/**
 * Each measurement is longer than the one before. Compiled code varies by about 100 KB between two collections, so only
 * growth beyond that, in each round of the last measurement, is a leak: 6 bytes per input in a long run, and 330 in a
 * short one.
 */
const looks = [
  { times: 1, bytesPerRoundMin: 4_096 },
  { times: 4, bytesPerRoundMin: 4_096 },
  { times: 16, bytesPerRoundMin: 131_072 },
]

/**
 * Whether the used memory after a collection grows when the same inputs run repeatedly. A leak grows in every round, by
 * the same amount per run in a longer measurement. Learned, compiled or cached data does not.
 */
export async function findGrowth(sample: readonly Buffer[], runs: number, run: Run): Promise<Growth | null> {
  let bytesPerRun: number | null = null
  for (const { times, bytesPerRoundMin } of looks) {
    bytesPerRun = await growthOf(sample, { runs: runs * times, bytesPerRoundMin }, run)
    if (bytesPerRun === null) return null
  }
  return bytesPerRun === null ? null : { bytesPerRun, input: await findLeaking(sample, runs * 16, run) }
}

/** Finds one input that leaks on its own, by bisection; if only several together leak, one of them. */
async function findLeaking(sample: readonly Buffer[], runs: number, run: Run): Promise<Buffer> {
  let leaking = sample
  while (leaking.length > 1) {
    const middle = Math.ceil(leaking.length / 2)
    const first = leaking.slice(0, middle)
    leaking = (await growthOf(first, { runs, bytesPerRoundMin: 131_072 }, run)) === null ? leaking.slice(middle) : first
  }
  return leaking[0] ?? Buffer.alloc(0)
}

/** The bytes per run in the round with the least growth, or null if negligible. */
async function growthOf(sample: readonly Buffer[], { runs, bytesPerRoundMin }: Look, run: Run): Promise<number | null> {
  const round = async (): Promise<number> => {
    for (let turn = 0; turn < runs; turn += 1) await run(sample[turn % sample.length] ?? Buffer.alloc(0))
    return usedBytes()
  }
  await round()
  // The second collection frees garbage from before this measurement.
  let before = await usedBytes()
  let least = Number.POSITIVE_INFINITY
  for (let turn = 0; turn < rounds; turn += 1) {
    const after = await round()
    least = Math.min(least, after - before)
    if (least < Math.max(bytesPerRoundMin, bytesPerRunMin * runs)) return null
    before = after
  }
  return least / runs
}

async function usedBytes(): Promise<number> {
  // Memory freed by finalizers counts in the next round; a collection takes longer than most rounds.
  await nextTurn()
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
