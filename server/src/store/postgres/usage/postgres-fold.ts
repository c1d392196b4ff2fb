import type { Pool, PoolClient } from 'pg'
import { failpoint, failpointsArmed } from '#lib/failpoint.ts'
import type { FoldedBatch, UsageFold } from '#ports/usage.ts'
import { inTransaction } from '../with-client.ts'
import { foldStatement } from './fold-statement.ts'

const nothing: FoldedBatch = { folded: 0, isFull: false }

/** The rollup on Postgres. Any number of workers may run it; one at a time does. */
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

interface FoldState {
  /** Every generation with a smaller mark is in the sums. */
  foldedBelow: string
  /** No generation with a smaller mark can still become visible. */
  completeBelow: string
  /** Where this database is, and where its marks were made. */
  cluster: string
  marksCluster: string
}

/** False: another worker is at it. The lock ends with the transaction, or with the process. */
async function lockFold(client: PoolClient): Promise<boolean> {
  // The plan must not depend on how full the tables were when they were last counted: a first rollup finds them empty.
  // And compiling one over hundreds of partitions takes longer than running it.
  await client.query(
    `SET LOCAL enable_seqscan = off; SET LOCAL plan_cache_mode = force_generic_plan; SET LOCAL jit = off; SET LOCAL work_mem = '64MB'`,
  )
  const text = `SELECT pg_try_advisory_xact_lock(hashtext('weir.fold')) AS locked`
  const { rows } = await client.query<{ locked: boolean }>({ name: 'lock-fold', text })
  return rows[0]?.locked === true
}

export async function readFoldState(client: PoolClient): Promise<FoldState> {
  const text = `SELECT s.folded_below AS "foldedBelow", s.cluster AS "marksCluster", c.system_identifier::text AS cluster,
      pg_snapshot_xmin(pg_current_snapshot())::text::bigint + s.mark_offset AS "completeBelow"
    FROM rollup_state s, pg_control_system() c`
  const { rows } = await client.query<FoldState>({ name: 'read-fold-state', text })
  const [state] = rows
  if (state === undefined) throw new Error('rollup_state has lost its row')
  return state
}

export interface BatchEnd {
  mark: string
  isFull: boolean
}

/** Up to where to roll up, so that it is about this many; null where there is nothing. Transactions are never torn apart. */
export async function findBatchEnd(client: PoolClient, state: FoldState, atMost: number): Promise<BatchEnd | null> {
  const text = `SELECT settled_mark + 1 AS mark FROM generations WHERE settled_mark >= $1 AND settled_mark < $2
    ORDER BY settled_mark OFFSET $3 LIMIT 1`
  const markAt = async (offset: number): Promise<string | undefined> => {
    const values = [state.foldedBelow, state.completeBelow, offset]
    const { rows } = await client.query<{ mark: string }>({ name: 'find-batch-end', text, values })
    return rows[0]?.mark
  }
  const full = await markAt(atMost - 1)
  if (full !== undefined) return { mark: full, isFull: true }
  const first = await markAt(0)
  return first === undefined ? null : { mark: state.completeBelow, isFull: false }
}

async function moveFold(client: PoolClient, from: string, to: string): Promise<void> {
  const text = 'UPDATE rollup_state SET folded_below = $2 WHERE folded_below = $1'
  const { rowCount } = await client.query({ name: 'move-fold', text, values: [from, to] })
  if (rowCount !== 1) throw new Error('another worker has rolled up the same generations')
}

/**
 * After a move to another cluster: numbers what is settled from now on above all that was settled before. True if the
 * database had been moved; then the rollup goes on from here.
 */
export async function rebaseMarks(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query<{ moved: boolean }>('SELECT rebase_marks() AS moved')
  return rows[0]?.moved === true
}
