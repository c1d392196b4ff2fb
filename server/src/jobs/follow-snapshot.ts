import type { Failing } from '#lib/fault-watch.ts'
import type { SnapshotKeeper } from '#lib/keep-snapshot.ts'

/**
 * Keeps a snapshot up to date in a process without a gateway's poll. A failed load is a failed round, so that `/ready`
 * reports it.
 */
export function followSnapshot(options: {
  readonly readRevision: () => Promise<number>
  readonly snapshot: Pick<SnapshotKeeper<unknown>, 'seeRevision'> & { readonly failing: Failing | null }
}): () => Promise<void> {
  const { readRevision, snapshot } = options
  return async () => {
    await snapshot.seeRevision(await readRevision())
    if (snapshot.failing !== null) throw snapshot.failing.error
  }
}
