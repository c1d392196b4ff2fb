import type { Pool } from 'pg'
import { nanoUsd } from '#domain/money/nano-usd.ts'
import type { GenerationRecord } from '#domain/ledger/generation-record.ts'
import type { SettledCharge, SettleEntry } from '#ports/money.ts'
import { arrayLiteral } from '../array-literal.ts'

const text = `SELECT generation_id, charged_nano FROM settle_generations(
  $1::uuid[], $2::uuid[], $3::json, $4::uuid[], $5::text[], $6::uuid[], $7::bigint[])`

/** Settles a batch; the ids in it must be distinct. */
export async function settleGenerations(pool: Pool, entries: readonly SettleEntry[]): Promise<SettledCharge[]> {
  const windowIds: string[] = []
  const kinds: string[] = []
  const owners: string[] = []
  const starts: number[] = []
  for (const { record, windows } of entries) {
    for (const window of windows) {
      windowIds.push(record.id)
      kinds.push(window.kind)
      owners.push(window.ownerId)
      starts.push(window.startsAtMs)
    }
  }
  const { rows } = await pool.query<{ generation_id: string; charged_nano: string }>({
    name: 'settle-generations',
    text,
    values: [
      arrayLiteral(entries.map(({ record }) => record.id)),
      arrayLiteral(entries.map(({ record }) => record.walletId)),
      JSON.stringify(entries.map(({ record }) => rowOf(record))),
      arrayLiteral(windowIds),
      arrayLiteral(kinds),
      arrayLiteral(owners),
      arrayLiteral(starts),
    ],
  })
  const charged = new Map(rows.map((row) => [row.generation_id, row.charged_nano]))
  return entries.map(({ record }) => ({ cost: nanoUsd(BigInt(charged.get(record.id) ?? record.cost)) }))
}

// Amounts travel as text, because a JSON number would lose digits on the way.
function rowOf(record: GenerationRecord): Record<string, unknown> {
  const { usage } = record
  return {
    id: record.id,
    wallet_id: record.walletId,
    key_id: record.keyId,
    user_id: record.userId,
    organization_id: record.organizationId,
    member_id: record.memberId,
    team_id: record.teamId,
    app_name: record.appName,
    endpoint: record.endpoint,
    model: record.model,
    provider: record.provider,
    upstream_model: record.upstreamModel,
    upstream_status: record.upstreamStatus,
    finish_reason: record.finishReason,
    native_finish_reason: record.nativeFinishReason,
    streamed: record.streamed,
    cancelled: record.cancelled,
    is_byok: record.isByok,
    is_failover: record.isFailover,
    started_at_ms: record.startedAtMs,
    first_token_ms: record.firstTokenMs,
    duration_ms: record.durationMs,
    uncached_input: usage.uncachedInput,
    cache_read: usage.cacheRead,
    cache_write_5m: usage.cacheWrite5m,
    cache_write_1h: usage.cacheWrite1h,
    audio_input: usage.audioInput,
    text_output: usage.textOutput,
    reasoning_output: usage.reasoningOutput,
    image_output: usage.imageOutput,
    audio_output: usage.audioOutput,
    held_nano: record.held.toString(),
    cost_nano: record.cost.toString(),
    cache_discount_nano: record.cacheDiscount.toString(),
    price_id: record.priceId,
    refund_reason: record.refundReason,
    attempts: record.attempts,
  }
}
