import { setImmediate as nextTurn } from 'node:timers/promises'

export interface Growth {
  readonly bytesPerRun: number
  readonly input: Buffer
}

type Run = (input: Buffer) => Promise<unknown>

const rounds = 4
/** Less than a small number in a list for each input is no leak but chance. */
const bytesPerRunMin = 6
const bytesMin = 65_536

/**
 * Whether the memory that is in use after a collection grows with the same inputs again and again. What is learnt or cached
 * once is there after the first rounds; a leak goes on, which a second and longer look confirms.
 */
export async function findGrowth(sample: readonly Buffer[], runs: number, run: Run): Promise<Growth | null> {
  if ((await growthOf(sample, runs, run)) === null) return null
  const bytesPerRun = await growthOf(sample, runs * 2, run)
  if (bytesPerRun === null) return null
  const smallestFirst = [...sample].sort((one, other) => one.length - other.length)
  for (const input of smallestFirst) {
    const alone = await growthOf([input], runs, run)
    if (alone !== null) return { bytesPerRun: alone, input }
  }
  return { bytesPerRun, input: smallestFirst.at(-1) ?? Buffer.alloc(0) }
}

/** Bytes for each run; null where there is no growth to speak of. */
async function growthOf(sample: readonly Buffer[], runs: number, run: Run): Promise<number | null> {
  const round = async (): Promise<number> => {
    for (let turn = 0; turn < runs; turn += 1) await run(sample[turn % sample.length] ?? Buffer.alloc(0))
    return usedBytes()
  }
  await round()
  const first = await round()
  let last = first
  for (let turn = 0; turn < rounds; turn += 1) last = await round()
  const grown = last - first
  return grown >= bytesMin && grown >= bytesPerRunMin * runs * rounds ? grown / (runs * rounds) : null
}

async function usedBytes(): Promise<number> {
  await nextTurn()
  // Twice: the first collection lets finalizers run, which free more.
  globalThis.gc?.()
  await nextTurn()
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
