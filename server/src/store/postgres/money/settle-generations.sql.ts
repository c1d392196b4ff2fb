import type { Pool, PoolClient } from 'pg'
import type { GenerationRecord } from '#domain/ledger/generation-record.ts'
import { nanoUsd, zeroUsd } from '#domain/money/nano-usd.ts'
import type { SettledCharge, SettleEntry } from '#ports/money.ts'
import { arrayLiteral, storableMs } from '../column-values.ts'
import { storableJson } from '../storable-json.ts'

const text = `SELECT generation_id, charged_nano, absorbed_nano FROM settle_generations(
  $1::uuid[], $2::uuid[], $3::json, $4::uuid[], $5::text[], $6::uuid[], $7::bigint[], $8::bigint[], $9::bigint[])`

/** Settles a batch. Its ids must be distinct. */
export async function settleGenerations(
  connection: Pool | PoolClient,
  entries: readonly SettleEntry[],
): Promise<SettledCharge[]> {
  const [alone] = entries
  const isPlain = entries.length === 1 && alone?.windows.length === 0 && alone.record.organizationId === null
  if (isPlain && (await settleAlone(connection, alone.record))) return [intendedCharge(alone.record)]
  const windowIds: string[] = []
  const kinds: string[] = []
  const owners: string[] = []
  const starts: number[] = []
  const limits: bigint[] = []
  for (const { record, windows } of entries) {
    for (const window of windows) {
      windowIds.push(record.id)
      kinds.push(window.kind)
      owners.push(window.ownerId)
      starts.push(window.startsAtMs)
      limits.push(window.limit)
    }
  }
  const { rows } = await connection.query<{ generation_id: string; charged_nano: string; absorbed_nano: string }>({
    name: 'settle-generations',
    text,
    values: [
      arrayLiteral(entries.map(({ record }) => record.id)),
      arrayLiteral(entries.map(({ record }) => record.walletId)),
      storableJson(entries.map(({ record }) => rowOf(record, 'omitted'))),
      arrayLiteral(windowIds),
      arrayLiteral(kinds),
      arrayLiteral(owners),
      arrayLiteral(starts),
      arrayLiteral(limits),
      arrayLiteral(entries.map(({ record }) => record.cost)),
    ],
  })
  const charges = new Map(rows.map((row) => [row.generation_id, chargeOf(row.charged_nano, row.absorbed_nano)]))
  return entries.map(({ record }) => charges.get(record.id) ?? intendedCharge(record))
}

/** Returns false if the hold is gone, too small or has windows. Then nothing was settled. */
async function settleAlone(connection: Pool | PoolClient, record: GenerationRecord): Promise<boolean> {
  const { rows } = await connection.query<{ settled: boolean }>({
    name: 'settle-generation',
    text: 'SELECT settle_generation($1::json) AS settled',
    values: [storableJson(rowOf(record, 'kept'))],
  })
  return rows[0]?.settled === true
}

/**
 * The charge that a record asks for. The record gets this charge unless its hold is gone and there is no room for it.
 */
export function intendedCharge({ cost, absorbed = zeroUsd }: GenerationRecord): SettledCharge {
  return { cost, absorbed }
}

function chargeOf(cost: string, absorbed: string): SettledCharge {
  return { cost: nanoUsd(BigInt(cost)), absorbed: nanoUsd(BigInt(absorbed)) }
}

/**
 * A row of generations by column name. Most values are null, false or zero; the statement defaults to them, and
 * omitting them halves the cost of parsing. Amounts are strings, because a JSON number would lose digits.
 */
function rowOf(record: GenerationRecord, zeros: 'omitted' | 'kept'): Row {
  const row: Row = {
    id: record.id,
    wallet_id: record.walletId,
    key_id: record.keyId,
    endpoint: record.endpoint,
    model: record.model,
    started_at: new Date(record.startedAtMs).toISOString(),
    first_token_ms: record.firstTokenMs === null ? null : storableMs(record.firstTokenMs),
    duration_ms: storableMs(record.durationMs),
    held_nano: record.held.toString(),
    cost_nano: record.cost.toString(),
    attempts: record.attempts,
  }
  for (const [column, valueOf] of sparseColumns) {
    const value = valueOf(record)
    if (value !== null && (zeros === 'kept' || (value !== 0 && value !== false))) row[column] = value
  }
  return row
}

type Row = Record<string, unknown>

const sparseColumns: readonly (readonly [
  string,
  (record: GenerationRecord) => string | number | boolean | object | null,
])[] = [
  ['user_id', (record) => record.userId],
  ['organization_id', (record) => record.organizationId],
  ['member_id', (record) => record.memberId],
  ['team_id', (record) => record.teamId],
  ['session_id', (record) => record.sessionId],
  ['app_name', (record) => record.appName],
  ['provider', (record) => record.provider],
  ['upstream_model', (record) => record.upstreamModel],
  ['upstream_status', (record) => record.upstreamStatus],
  ['finish_reason', (record) => record.finishReason],
  ['native_finish_reason', (record) => record.nativeFinishReason],
  ['streamed', (record) => record.streamed],
  ['cancelled', (record) => record.cancelled],
  ['is_byok', (record) => record.isByok],
  ['is_failover', (record) => record.isFailover],
  ['uncached_input', (record) => record.usage.uncachedInput],
  ['cache_read', (record) => record.usage.cacheRead],
  ['cache_write_5m', (record) => record.usage.cacheWrite5m],
  ['cache_write_1h', (record) => record.usage.cacheWrite1h],
  ['audio_input', (record) => record.usage.audioInput],
  ['text_output', (record) => record.usage.textOutput],
  ['reasoning_output', (record) => record.usage.reasoningOutput],
  ['image_output', (record) => record.usage.imageOutput],
  ['audio_output', (record) => record.usage.audioOutput],
  ['cache_discount_nano', (record) => (record.cacheDiscount === 0n ? 0 : record.cacheDiscount.toString())],
  ['price_id', (record) => record.priceId],
  ['refund_reason', (record) => record.refundReason],
  ['routing', (record) => record.routing],
  ['absorbed_nano', ({ absorbed = zeroUsd }) => (absorbed === 0n ? 0 : absorbed.toString())],
  ['usage_doubted', (record) => record.usageDoubted ?? false],
  ['media', (record) => record.usage.media ?? null],
]
