import type { Failing } from '#lib/fault-watch.ts'
import type { SnapshotKeeper } from '#lib/keep-snapshot.ts'
import type { Part } from './part.ts'

/** Keeps a snapshot up to date in a process without a gateway's poll. A load that failed is a failed round, so that `/ready` tells of it. */
export function followSnapshot(options: {
  readonly name: string
  readonly everyMs: number
  readonly readRevision: () => Promise<number>
  readonly snapshot: Pick<SnapshotKeeper<unknown>, 'seeRevision'> & { readonly failing: Failing | null }
}): Part {
  const { name, everyMs, readRevision, snapshot } = options
  return {
    name,
    pauseMs: everyMs,
    round: async () => {
      await snapshot.seeRevision(await readRevision())
      if (snapshot.failing !== null) throw snapshot.failing.error
      return false
    },
  }
}
