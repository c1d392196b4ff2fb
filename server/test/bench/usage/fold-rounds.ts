import type { Pool } from 'pg'
import { createPostgresFold, findBatchEnd, readFoldState } from '#store/postgres/usage/postgres-fold.ts'
import { inTransaction } from '#store/postgres/with-client.ts'
import { addUpBare, createBareRollup, readOnce } from './bare-rollup.sql.ts'

/** Some rows folded and, in some rounds, the same rows added up by one bare statement beside it. */
export interface FoldRound {
  readonly rows: number
  readonly foldSeconds: number
  readonly bareSeconds: number | null
}

/** As `usage.foldBatch` is shipped. */
const batchMax = 100_000
/** Enough for a median; all rounds twice would take half as long again. */
const comparedRounds = 6

/**
 * Folds this many requests in rounds. A round is several batches for the fold, and one statement for the bare one; the two take
 * turns at being first, and both find the rows in memory. Rounds without a comparison find them where they are, mostly on disk.
 */
export async function foldInRounds(
  pool: Pool,
  input: { rows: number; roundRows: number; log: (line: string) => void },
): Promise<FoldRound[]> {
  await createBareRollup(pool)
  const rounds: FoldRound[] = []
  const compareEvery = Math.ceil(input.rows / input.roundRows / comparedRounds)
  for (let left = input.rows; left > 0; ) {
    const turn = rounds.length / compareEvery
    const round = await runRound(pool, Math.min(left, input.roundRows), Number.isInteger(turn) ? turn : null)
    left -= round.rows
    rounds.push(round)
    const { rows, foldSeconds, bareSeconds } = round
    const beside = bareSeconds === null ? '' : `, bare in ${bareSeconds.toFixed(1)} s`
    input.log(`  ${rows} requests: folded in ${foldSeconds.toFixed(1)} s${beside}`)
  }
  return rounds
}

/** `turn`: which comparison it is; null: none. */
async function runRound(pool: Pool, atLeast: number, turn: number | null): Promise<FoldRound> {
  const marks = await findMarks(pool, atLeast)
  if (turn !== null) await readOnce(pool, marks)
  const bare = (): Promise<void> => addUpBare(pool, marks)
  const bareFirst = turn !== null && turn % 2 === 1 ? await timeSeconds(bare) : null
  let rows = 0
  const foldSeconds = await timeSeconds(async () => {
    rows = await foldAtLeast(pool, atLeast)
  })
  const bareSeconds = turn !== null && turn % 2 === 0 ? await timeSeconds(bare) : bareFirst
  return { rows, foldSeconds, bareSeconds }
}

/** Where this many begin and end; transactions are whole, so it may be a few more. */
async function findMarks(pool: Pool, atLeast: number): Promise<{ from: string; to: string }> {
  return inTransaction(pool, 'READ COMMITTED', async (client) => {
    const state = await readFoldState(client)
    const end = await findBatchEnd(client, state, atLeast)
    if (end === null) throw new Error('nothing is left to fold')
    return { from: state.foldedBelow, to: end.mark }
  })
}

/** Ends with the transaction in which this many are reached, as the marks do. */
export async function foldAtLeast(pool: Pool, atLeast: number): Promise<number> {
  const fold = createPostgresFold(pool)
  let folded = 0
  while (folded < atLeast) folded += (await fold.fold(Math.min(batchMax, atLeast - folded))).folded
  return folded
}

async function timeSeconds(work: () => Promise<void>): Promise<number> {
  const startedAtMs = performance.now()
  await work()
  return (performance.now() - startedAtMs) / 1_000
}
