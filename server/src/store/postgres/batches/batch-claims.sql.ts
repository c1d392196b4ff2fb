import type { Pool, PoolClient } from 'pg'
import type { BatchApi, BatchError, PricedLine } from '#domain/batches/batch.ts'
import type { JsonObject } from '#lib/json.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { BatchFiles, ClaimedBatch, PromisedSpend } from '#ports/batches.ts'
import { arrayLiteral, readNano } from '../column-values.ts'
import { inTransaction } from '../with-client.ts'

export interface ClaimRow {
  readonly id: Uuid
  readonly wallet_id: Uuid
  readonly client_network: string
  readonly owner_id: Uuid | null
  readonly user_id: Uuid | null
  readonly key_id: Uuid
  readonly api: BatchApi
  readonly endpoint: string
  readonly input_file_id: Uuid
  readonly status: ClaimedBatch['status']
  readonly expires_at: Date
  readonly claim: string
  readonly sealed_key: JsonObject | null
}

/** The batch that waits the longest comes first, so that all get their turns. */
export async function claimBatches(pool: Pool, atMost: number, leaseMs: number): Promise<ClaimRow[]> {
  const text = `UPDATE batches b SET claim = b.claim + 1, lease_until = clock_timestamp() + $2 * interval '1 ms'
    FROM (SELECT id FROM batches
          WHERE status IN ('validating', 'in_progress', 'finalizing') AND due_at <= clock_timestamp()
            AND lease_until < clock_timestamp()
          ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED) AS due
    WHERE b.id = due.id
    RETURNING b.id, b.client_network, b.wallet_id, b.owner_id, b.user_id, b.key_id, b.api, b.endpoint, b.input_file_id, b.status,
      b.expires_at, b.claim, b.sealed_key`
  const { rows } = await pool.query<ClaimRow>({ name: 'claim-batches', text, values: [atMost, leaseMs] })
  return rows
}

export async function renewBatches(pool: Pool, claims: readonly ClaimedBatch[], leaseMs: number): Promise<void> {
  const text = `UPDATE batches b SET lease_until = clock_timestamp() + $3 * interval '1 ms'
    FROM unnest($1::uuid[], $2::bigint[]) AS u (id, claim) WHERE b.id = u.id AND b.claim = u.claim`
  const values = [arrayLiteral(claims.map(({ id }) => id)), arrayLiteral(claims.map(({ claim }) => claim)), leaseMs]
  await pool.query({ name: 'renew-batches', text, values })
}

/** A batch that was cancelled in the meantime stays due. */
export async function releaseBatch(pool: Pool, { id, claim }: ClaimedBatch, dueInMs: number): Promise<void> {
  const text = `UPDATE batches SET lease_until = '-infinity', due_at = CASE WHEN cancelling_at IS NULL
      THEN clock_timestamp() + $3 * interval '1 ms' ELSE clock_timestamp() END
    WHERE id = $1 AND claim = $2`
  await pool.query({ name: 'release-batch', text, values: [id, claim, dueInMs] })
}

/** A batch of messages has a result for each request, so it is checked first, and then ended like any other. */
export async function abandonBatch(pool: Pool, { id, claim }: ClaimedBatch, nowMs: number): Promise<boolean> {
  const text = `UPDATE batches SET ended_at = $3, sealed_key = NULL,
      status = CASE WHEN cancelling_at IS NOT NULL THEN 'cancelled' ELSE 'expired' END
    WHERE id = $1 AND claim = $2 AND status = 'validating' AND api = 'openai'
      AND (cancelling_at IS NOT NULL OR expires_at <= $3)`
  const { rowCount } = await pool.query(text, [id, claim, new Date(nowMs)])
  return rowCount === 1
}

export async function failBatch(
  pool: Pool,
  { id, claim }: ClaimedBatch,
  errors: readonly BatchError[],
  nowMs: number,
): Promise<void> {
  const text = `UPDATE batches SET status = 'failed', errors = $3, ended_at = $4
    WHERE id = $1 AND claim = $2 AND status = 'validating'`
  await pool.query(text, [id, claim, JSON.stringify(errors), new Date(nowMs)])
}

export async function readPromised(pool: Pool, { id, walletId, keyId }: ClaimedBatch): Promise<PromisedSpend> {
  const text = `SELECT coalesce(sum(l.worst_nano), 0) AS wallet,
      coalesce(sum(l.worst_nano) FILTER (WHERE b.key_id = $2), 0) AS key
    FROM batches b JOIN batch_lines l ON l.batch_id = b.id AND l.state = 'waiting'
    WHERE b.wallet_id = $1 AND b.status = 'in_progress' AND b.cancelling_at IS NULL AND b.id <> $3`
  const { rows } = await pool.query<{ wallet: string; key: string }>(text, [walletId, keyId, id])
  const [row] = rows
  return { wallet: readNano(row?.wallet ?? '0'), key: readNano(row?.key ?? '0') }
}

/** One transaction: a batch has all its lines, or none. */
export function beginBatch(
  pool: Pool,
  batch: ClaimedBatch,
  lines: readonly PricedLine[],
  { nowMs, sealAnswer }: { nowMs: number; sealAnswer: ((line: number) => Buffer) | null },
): Promise<void> {
  return inTransaction(pool, 'READ COMMITTED', async (client) => {
    const text = `UPDATE batches SET status = 'in_progress', in_progress_at = $3, total = $4, failed = $5
      WHERE id = $1 AND claim = $2 AND status = 'validating'`
    const failed = sealAnswer === null ? 0 : lines.length
    const begun = await client.query(text, [batch.id, batch.claim, new Date(nowMs), lines.length, failed])
    if (begun.rowCount !== 1) return
    for (let from = 0; from < lines.length; from += linesAtOnce) {
      await insertLines(client, batch.id, lines.slice(from, from + linesAtOnce), sealAnswer)
    }
  })
}

const linesAtOnce = 1_000

async function insertLines(
  client: PoolClient,
  batchId: Uuid,
  lines: readonly PricedLine[],
  sealAnswer: ((line: number) => Buffer) | null,
): Promise<void> {
  const text = `INSERT INTO batch_lines (batch_id, line, custom_id, first_byte, byte_count, worst_nano, state, outcome, result)
    SELECT $1, l.line, l.custom_id, l.first_byte, l.byte_count, l.worst_nano, $3, $4, decode(l.result, 'base64')
    FROM json_to_recordset($2::json) AS l (line integer, custom_id text, first_byte bigint, byte_count integer,
      worst_nano bigint, result text)`
  const rows = lines.map(({ line, customId, firstByte, byteCount, worst }) => ({
    line,
    custom_id: customId,
    first_byte: firstByte,
    byte_count: byteCount,
    worst_nano: worst.toString(),
    result: sealAnswer?.(line).toString('base64') ?? null,
  }))
  const [state, outcome] = sealAnswer === null ? ['waiting', null] : ['done', 'errored']
  await client.query(text, [batchId, JSON.stringify(rows), state, outcome])
}

/**
 * Ends the lines that never started. No line of a batch starts from then on. The lines are locked by the update of the
 * batch: `take` needs its claim and its status.
 */
export function finalizeBatch(pool: Pool, { id, claim }: ClaimedBatch, nowMs: number): Promise<boolean> {
  return inTransaction(pool, 'READ COMMITTED', async (client) => {
    const text = `UPDATE batches b SET status = 'finalizing', finalizing_at = coalesce(b.finalizing_at, $3)
      WHERE b.id = $1 AND b.claim = $2 AND b.status IN ('in_progress', 'finalizing')
        AND NOT EXISTS (SELECT FROM batch_lines l WHERE l.batch_id = b.id AND l.state = 'started')
        AND (b.cancelling_at IS NOT NULL OR b.expires_at <= $3
          OR NOT EXISTS (SELECT FROM batch_lines l WHERE l.batch_id = b.id AND l.state = 'waiting'))
      RETURNING b.cancelling_at IS NOT NULL AS is_cancelled`
    const { rows } = await client.query<{ is_cancelled: boolean }>(text, [id, claim, new Date(nowMs)])
    const [row] = rows
    if (row === undefined) return false
    const outcome = row.is_cancelled ? 'cancelled' : 'expired'
    const ended = await client.query(
      `UPDATE batch_lines SET state = 'done', outcome = $2 WHERE batch_id = $1 AND state = 'waiting'`,
      [id, outcome],
    )
    // The column has the name of the outcome.
    if ((ended.rowCount ?? 0) > 0)
      await client.query(`UPDATE batches SET ${outcome} = $2 WHERE id = $1`, [id, ended.rowCount])
    return true
  })
}

export function endBatch(pool: Pool, { id, claim }: ClaimedBatch, files: BatchFiles, nowMs: number): Promise<void> {
  return inTransaction(pool, 'READ COMMITTED', async (client) => {
    const text = `UPDATE batches SET ended_at = $3, output_file_id = $4, error_file_id = $5, sealed_key = NULL,
        status = CASE WHEN cancelling_at IS NOT NULL THEN 'cancelled' WHEN expired > 0 THEN 'expired' ELSE 'completed' END
      WHERE id = $1 AND claim = $2 AND status = 'finalizing'`
    const ended = await client.query(text, [id, claim, new Date(nowMs), files.outputFileId, files.errorFileId])
    if (ended.rowCount === 1) await client.query('DELETE FROM batch_lines WHERE batch_id = $1', [id])
  })
}
