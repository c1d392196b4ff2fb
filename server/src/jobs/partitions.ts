import type { Part } from './part.ts'

/** Makes the partitions of the coming days. A day that begins without one keeps what it settled before outside of any. */
export function partitionsPart(options: {
  readonly ensure: () => Promise<number>
  readonly everyMs: number
  readonly onMade: (count: number) => void
}): Part {
  return {
    name: 'partitions',
    pauseMs: options.everyMs,
    round: async () => {
      const made = await options.ensure()
      if (made > 0) options.onMade(made)
      return false
    },
  }
}
