import type { Pool, PoolClient } from 'pg'
import { failpoint, failpointsArmed } from '#lib/failpoint.ts'
import type { FoldedBatch, UsageFold } from '#ports/fold.ts'
import { inTransaction } from '../in-transaction.ts'
import { foldStatement } from './fold-statement.ts'
import { findBatchEnd, type FoldState, lockFold, moveFold, readFoldState } from './fold-state.sql.ts'

const nothing: FoldedBatch = { folded: 0, isFull: false }

/** The fold on Postgres. Any number of workers may run it; one at a time does. */
export function createPostgresFold(pool: Pool): UsageFold {
  return {
    async fold(atMost) {
      const batch = await inTransaction(pool, 'READ COMMITTED', (client) => foldBatch(client, atMost))
      if (failpointsArmed && batch.folded > 0) await failpoint('after-fold')
      return batch
    },
  }
}

/** The sums and how far they reach change together, so whatever happens in between has not happened. */
async function foldBatch(client: PoolClient, atMost: number): Promise<FoldedBatch> {
  if (!(await lockFold(client))) return nothing
  const state = await readFoldState(client)
  refuseForeignMarks(state)
  const end = await findBatchEnd(client, state, atMost)
  if (end === null) return nothing
  if (failpointsArmed) await failpoint('before-fold')
  const { rows } = await client.query<{ folded: string }>({
    name: 'fold-generations',
    text: foldStatement,
    values: [state.foldedBelow, end.mark],
  })
  if (failpointsArmed) await failpoint('mid-fold')
  await moveFold(client, state.foldedBelow, end.mark)
  if (failpointsArmed) await failpoint('before-fold-commit')
  return { folded: Number(rows[0]?.folded ?? 0), isFull: end.isFull }
}

// The marks of another cluster say nothing about which of this one's transactions are complete.
function refuseForeignMarks({ cluster, marksCluster }: FoldState): void {
  if (cluster === marksCluster) return
  throw new Error('the database was moved to another cluster: run `weir migrate` before anything is served from it')
}
