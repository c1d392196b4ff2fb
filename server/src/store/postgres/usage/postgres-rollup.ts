import type { Pool, PoolClient } from 'pg'
import { failpoint, failpointsArmed } from '#lib/failpoint.ts'
import type { RollupBatch, UsageRollup } from '#ports/usage.ts'
import { inTransaction } from '../with-client.ts'
import { earningsStatement } from './earnings-statement.ts'
import { rollupStatement } from './rollup-statement.ts'

const nothing: RollupBatch = { rolledUp: 0, isFull: false }

/** Sums that follow generations by position, with a watermark of their own. */
interface Target {
  /** For prepared statements. */
  readonly name: string
  /** Adds the generations with positions from $1 and below $2, and returns how many there were. */
  readonly statement: string
  /** The column of `rollup_state`. Every generation with a smaller position is in the sums. */
  readonly watermark: 'rolled_up_below' | 'earned_below'
}

const usage: Target = { name: 'roll-up-generations', statement: rollupStatement, watermark: 'rolled_up_below' }
const earnings: Target = { name: 'roll-up-earnings', statement: earningsStatement, watermark: 'earned_below' }

/** The rollup on Postgres. Any number of workers may run it; one at a time does. */
export function createPostgresRollup(pool: Pool): UsageRollup {
  const rollUp = (target: Target, atMost: number): Promise<RollupBatch> =>
    inTransaction(pool, 'READ COMMITTED', (client) => rollUpBatch(client, target, atMost))
  return {
    async rollUp(atMost) {
      const batch = await rollUp(usage, atMost)
      const earned = await rollUp(earnings, atMost)
      if (failpointsArmed && batch.rolledUp > 0) await failpoint('after-rollup')
      return { rolledUp: batch.rolledUp, isFull: batch.isFull || earned.isFull }
    },
  }
}

/** The sums and their watermark change together, so an interrupted batch leaves no trace. */
async function rollUpBatch(client: PoolClient, target: Target, atMost: number): Promise<RollupBatch> {
  if (!(await lockRollup(client))) return nothing
  const state = await readRollupState(client, target.watermark)
  requireSameCluster(state)
  const end = await findBatchEnd(client, state, atMost)
  if (end === null) return nothing
  if (failpointsArmed) await failpoint('before-rollup')
  const { rows } = await client.query<{ rolled_up: string }>({
    name: target.name,
    text: target.statement,
    values: [state.below, end.below],
  })
  if (failpointsArmed) await failpoint('mid-rollup')
  await advanceWatermark(client, target, { from: state.below, to: end.below })
  if (failpointsArmed) await failpoint('before-rollup-commit')
  return { rolledUp: Number(rows[0]?.rolled_up ?? 0), isFull: end.isFull }
}

// Positions of another cluster do not say which transactions of this cluster are complete.
function requireSameCluster({ cluster, positionsCluster }: RollupState): void {
  if (cluster === positionsCluster) return
  throw new Error('the database was moved to another cluster: run `weir migrate` before serving from it')
}

interface RollupState {
  /** Every generation with a smaller position is in the sums. */
  below: string
  /** No generation with a smaller position can still become visible. */
  completeBelow: string
  /** The cluster of this database, and the cluster that assigned its positions. */
  cluster: string
  positionsCluster: string
}

/** Returns false if another worker is running it. The lock ends with the transaction or the process. */
async function lockRollup(client: PoolClient): Promise<boolean> {
  // The plan must not depend on old table statistics: the first rollup finds the tables empty. JIT-compiling a plan
  // over hundreds of partitions takes longer than running it.
  await client.query(
    `SET LOCAL enable_seqscan = off; SET LOCAL plan_cache_mode = force_generic_plan; SET LOCAL jit = off; SET LOCAL work_mem = '64MB'`,
  )
  const text = `SELECT pg_try_advisory_xact_lock(hashtext('weir.rollup')) AS locked`
  const { rows } = await client.query<{ locked: boolean }>({ name: 'lock-rollup', text })
  return rows[0]?.locked === true
}

export async function readRollupState(
  client: PoolClient,
  watermark: Target['watermark'] = 'rolled_up_below',
): Promise<RollupState> {
  const text = `SELECT s.${watermark} AS below, s.cluster AS "positionsCluster", c.system_identifier::text AS cluster,
      pg_snapshot_xmin(pg_current_snapshot())::text::bigint + s.position_offset AS "completeBelow"
    FROM rollup_state s, pg_control_system() c`
  const { rows } = await client.query<RollupState>({ name: `read-rollup-state-${watermark}`, text })
  const [state] = rows
  if (state === undefined) throw new Error('the rollup_state row is missing')
  return state
}

interface BatchEnd {
  below: string
  isFull: boolean
}

/**
 * The end of the next batch of about this many generations, or null if there are none. Transactions are never split.
 */
export async function findBatchEnd(client: PoolClient, state: RollupState, atMost: number): Promise<BatchEnd | null> {
  const text = `SELECT settled_position + 1 AS below FROM generations WHERE settled_position >= $1 AND settled_position < $2
    ORDER BY settled_position OFFSET $3 LIMIT 1`
  const markAt = async (offset: number): Promise<string | undefined> => {
    const values = [state.below, state.completeBelow, offset]
    const { rows } = await client.query<{ below: string }>({ name: 'find-batch-end', text, values })
    return rows[0]?.below
  }
  const full = await markAt(atMost - 1)
  if (full !== undefined) return { below: full, isFull: true }
  const first = await markAt(0)
  return first === undefined ? null : { below: state.completeBelow, isFull: false }
}

async function advanceWatermark(
  client: PoolClient,
  { name, watermark }: Target,
  { from, to }: { from: string; to: string },
): Promise<void> {
  const text = `UPDATE rollup_state SET ${watermark} = $2 WHERE ${watermark} = $1`
  const { rowCount } = await client.query({ name: `advance-${name}`, text, values: [from, to] })
  if (rowCount !== 1) throw new Error('another worker already rolled up the same generations')
}

/**
 * After a move to another cluster, gives new settles positions above all earlier ones. Returns true if the database was
 * moved; then the rollup continues from here.
 */
export async function rebasePositions(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query<{ moved: boolean }>('SELECT rebase_positions() AS moved')
  return rows[0]?.moved === true
}
