import { type Figure, figureOf } from '../figure.ts'
import type { Pairs } from './send-pairs.ts'

export interface SizedPairs {
  /** The number of payers. */
  readonly size: number
  readonly pairs: Pairs
}

export interface GrowthOfBatch {
  readonly batch: number
  /** CPU per pair in the large database, in microseconds. */
  readonly large: Figure | null
  /** The ratio to a database with this many payers and no earlier requests. */
  readonly ratios: readonly { readonly size: number; readonly ratio: Figure | null }[]
}

interface Windows {
  readonly windows: number
  readonly pairs: number
  readonly log: (line: string) => void
}

const batchSizes = [1, 50] as const

/** Sends the same statements to small databases and a large one in turns. */
export async function compareSizes(
  databases: { readonly small: readonly SizedPairs[]; readonly large: Pairs },
  windows: Windows,
): Promise<GrowthOfBatch[]> {
  const batches: GrowthOfBatch[] = []
  for (const batch of batchSizes) batches.push(await compareBatch(databases, { ...windows, batch }))
  return batches
}

async function compareBatch(
  { small, large }: { small: readonly SizedPairs[]; large: Pairs },
  { batch, windows, pairs, log }: Windows & { batch: number },
): Promise<GrowthOfBatch> {
  const seen: { small: number[]; large: number }[] = []
  // The first window only warms plans and caches.
  for (let window = 0; window <= windows; window += 1) {
    const costs: number[] = []
    for (const each of small) costs.push(await each.pairs.send(pairs, batch))
    const largeCost = await large.send(pairs, batch)
    if (window > 0) seen.push({ small: costs, large: largeCost })
    log(`growth: batches of ${batch}, window ${window} of ${windows}`)
  }
  const ratioTo = (index: number): Figure | null =>
    figureOf(
      seen.map((costs) => costs.large / (costs.small[index] ?? Number.NaN)),
      3,
    )
  return {
    batch,
    large: figureOf(
      seen.map((costs) => costs.large),
      1,
    ),
    ratios: small.map(({ size }, index) => ({ size, ratio: ratioTo(index) })),
  }
}
