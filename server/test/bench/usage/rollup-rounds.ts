import type { Pool } from 'pg'
import { createPostgresRollup, findBatchEnd, readRollupState } from '#store/postgres/usage/postgres-rollup.ts'
import { inTransaction } from '#store/postgres/with-client.ts'
import { addUpBare, createBareRollup, readOnce } from './bare-rollup.sql.ts'

/** Some rows rolled up, and in some rounds also by one bare statement. */
export interface RollupRound {
  readonly rows: number
  readonly rollupSeconds: number
  readonly bareSeconds: number | null
}

/** The default of `usage.rollupBatch`. */
const batchMax = 100_000
/** Enough for a median; comparing all rounds would take half as long again. */
const comparedRounds = 6

/**
 * Rolls up this many requests in rounds. A round is several batches for the rollup, and one statement for the bare one;
 * the two alternate in going first, and both find the rows in memory. Rounds without a comparison mostly read from
 * disk.
 */
export async function rollUpInRounds(
  pool: Pool,
  input: { rows: number; roundRows: number; log: (line: string) => void },
): Promise<RollupRound[]> {
  await createBareRollup(pool)
  const rounds: RollupRound[] = []
  const compareEvery = Math.ceil(input.rows / input.roundRows / comparedRounds)
  for (let left = input.rows; left > 0; ) {
    const turn = rounds.length / compareEvery
    const round = await runRound(pool, Math.min(left, input.roundRows), Number.isInteger(turn) ? turn : null)
    left -= round.rows
    rounds.push(round)
    const { rows, rollupSeconds, bareSeconds } = round
    const beside = bareSeconds === null ? '' : `, bare in ${bareSeconds.toFixed(1)} s`
    input.log(`  ${rows} requests: rolled up in ${rollupSeconds.toFixed(1)} s${beside}`)
  }
  return rounds
}

/** `turn` is the number of the comparison, or null for none. */
async function runRound(pool: Pool, atLeast: number, turn: number | null): Promise<RollupRound> {
  const positions = await findPositions(pool, atLeast)
  if (turn !== null) await readOnce(pool, positions)
  const bare = (): Promise<void> => addUpBare(pool, positions)
  const bareFirst = turn !== null && turn % 2 === 1 ? await timeSeconds(bare) : null
  let rows = 0
  const rollupSeconds = await timeSeconds(async () => {
    rows = await rollUpAtLeast(pool, atLeast)
  })
  const bareSeconds = turn !== null && turn % 2 === 0 ? await timeSeconds(bare) : bareFirst
  return { rows, rollupSeconds, bareSeconds }
}

/** The positions of at least this many rows; transactions stay whole, so there may be a few more. */
async function findPositions(pool: Pool, atLeast: number): Promise<{ from: string; to: string }> {
  return inTransaction(pool, 'READ COMMITTED', async (client) => {
    const state = await readRollupState(client)
    const end = await findBatchEnd(client, state, atLeast)
    if (end === null) throw new Error('nothing is left to roll up')
    return { from: state.below, to: end.below }
  })
}

/** Ends with the transaction that reaches this number, because positions never split a transaction. */
export async function rollUpAtLeast(pool: Pool, atLeast: number): Promise<number> {
  const rollup = createPostgresRollup(pool)
  let rolledUp = 0
  while (rolledUp < atLeast) rolledUp += (await rollup.rollUp(Math.min(batchMax, atLeast - rolledUp))).rolledUp
  return rolledUp
}

async function timeSeconds(work: () => Promise<void>): Promise<number> {
  const startedAtMs = performance.now()
  await work()
  return (performance.now() - startedAtMs) / 1_000
}
