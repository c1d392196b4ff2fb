import type { Pool } from 'pg'
import type { LineOutcome } from '#domain/batches/batch.ts'
import type { ClaimedBatch, TakenLine, TakeQuery } from '#ports/batches.ts'

interface TakenRow {
  readonly line: number
  readonly custom_id: string
  readonly first_byte: string
  readonly byte_count: number
  readonly is_again: boolean
  readonly is_lost: boolean
}

/**
 * Marks lines as started before they run. Lines that have started are always finished; the others only while the batch
 * is neither cancelled nor expired.
 */
export async function takeLines(
  pool: Pool,
  { id, claim }: ClaimedBatch,
  { atMost, underWay, nowMs }: TakeQuery,
  answerLifeMs: number,
): Promise<TakenLine[]> {
  const text = `WITH open_batch AS (
      SELECT id, cancelling_at IS NULL AND expires_at > $5 AS may_start FROM batches
      WHERE id = $1 AND claim = $2 AND status = 'in_progress' FOR SHARE),
    picked AS (
      SELECT l.line, l.state = 'started' AS is_again FROM batch_lines l JOIN open_batch b ON b.id = l.batch_id
      WHERE l.state <> 'done' AND l.line <> ALL ($4::integer[]) AND (l.state = 'started' OR b.may_start)
      ORDER BY l.line LIMIT $3 FOR UPDATE OF l)
    UPDATE batch_lines l SET state = 'started', started_at = coalesce(l.started_at, clock_timestamp())
    FROM picked p WHERE l.batch_id = $1 AND l.line = p.line
    RETURNING l.line, l.custom_id, l.first_byte, l.byte_count, p.is_again,
      l.started_at < clock_timestamp() - $6 * interval '1 ms' AS is_lost`
  const values = [id, claim, atMost, underWay, new Date(nowMs), answerLifeMs]
  const { rows } = await pool.query<TakenRow>({ name: 'take-batch-lines', text, values })
  return rows.map((row) => ({
    line: row.line,
    customId: row.custom_id,
    firstByte: Number(row.first_byte),
    byteCount: row.byte_count,
    isAgain: row.is_again,
    isLost: row.is_lost,
  }))
}

export async function putBackLine(pool: Pool, { id, claim }: ClaimedBatch, line: number): Promise<void> {
  // Locked, so that no other gateway takes the line in between.
  const text = `WITH claimed AS (SELECT FROM batches WHERE id = $1 AND claim = $3 FOR SHARE)
    UPDATE batch_lines SET state = 'waiting', started_at = NULL
    WHERE batch_id = $1 AND line = $2 AND state = 'started' AND EXISTS (SELECT FROM claimed)`
  await pool.query({ name: 'put-back-batch-line', text, values: [id, line, claim] })
}

/**
 * The first answer stays. It needs no claim, because any gateway that has run the line has its answer. The batch is
 * locked before the line, as in `takeLines`.
 */
export async function answerLine(
  pool: Pool,
  { id }: ClaimedBatch,
  { line, outcome, result }: { line: number; outcome: LineOutcome; result: Buffer },
): Promise<void> {
  const text = `WITH locked AS (SELECT FROM batches WHERE id = $1 FOR NO KEY UPDATE),
    answered AS (
      UPDATE batch_lines SET state = 'done', outcome = $3, result = $4
      WHERE batch_id = $1 AND line = $2 AND state = 'started' AND EXISTS (SELECT FROM locked) RETURNING 1)
    UPDATE batches SET completed = completed + ($3 = 'succeeded')::integer, failed = failed + ($3 = 'errored')::integer
    WHERE id = $1 AND EXISTS (SELECT FROM answered)`
  await pool.query({ name: 'answer-batch-line', text, values: [id, line, outcome, result] })
}

export interface ResultRow {
  readonly line: number
  readonly custom_id: string
  readonly outcome: LineOutcome
  readonly result: Buffer | null
}

/** One page of ended lines after a line, in order. */
export async function readResults(
  pool: Pool,
  { id }: ClaimedBatch,
  { after, atMost }: { after: number; atMost: number },
): Promise<ResultRow[]> {
  const text = `SELECT line, custom_id, outcome, result FROM batch_lines
    WHERE batch_id = $1 AND line > $2 AND state = 'done' ORDER BY line LIMIT $3`
  const { rows } = await pool.query<ResultRow>({ name: 'read-batch-results', text, values: [id, after, atMost] })
  return rows
}
