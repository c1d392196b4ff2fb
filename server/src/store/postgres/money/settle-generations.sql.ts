import type { Pool, PoolClient } from 'pg'
import type { GenerationRecord } from '#domain/ledger/generation-record.ts'
import { nanoUsd, zeroUsd } from '#domain/money/nano-usd.ts'
import type { SettledCharge, SettleEntry } from '#ports/money.ts'
import { arrayLiteral, storableMs } from '../column-values.ts'
import { isDuplicate } from '../faults.ts'
import { storableJson, storableText } from '../storable-json.ts'

const text = `SELECT generation_id, charged_nano, absorbed_nano FROM settle_generations(
  $1::uuid[], $2::uuid[], $3::json, $4::uuid[], $5::text[], $6::uuid[], $7::bigint[], $8::bigint[], $9::bigint[])`

/** Settles a batch. Its ids must be distinct. */
export async function settleGenerations(pool: Pool, entries: readonly SettleEntry[]): Promise<SettledCharge[]> {
  const settled = await settlePlain(pool, entries.filter(isPlain))
  if (settled.size === entries.length) return entries.map(({ record }) => intendedCharge(record))
  const others = entries.filter(({ record }) => !settled.has(record.id))
  const charges = await settleAny(pool, others)
  return entries.map(({ record }) => charges.get(record.id) ?? intendedCharge(record))
}

/** Settles as a part of the client's open transaction. */
export async function settleWithin(client: PoolClient, entry: SettleEntry): Promise<SettledCharge> {
  const charges = await settleAny(client, [entry])
  return charges.get(entry.record.id) ?? intendedCharge(entry.record)
}

async function settleAny(
  connection: Pool | PoolClient,
  entries: readonly SettleEntry[],
): Promise<Map<string, SettledCharge>> {
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
      storableJson(entries.map(({ record }) => rowOf(record))),
      arrayLiteral(windowIds),
      arrayLiteral(kinds),
      arrayLiteral(owners),
      arrayLiteral(starts),
      arrayLiteral(limits),
      arrayLiteral(entries.map(({ record }) => record.cost)),
    ],
  })
  return new Map(rows.map((row) => [row.generation_id, chargeOf(row.charged_nano, row.absorbed_nano)]))
}

function isPlain({ record, windows }: SettleEntry): boolean {
  const { organizationId, endCustomerId, tagIds, runId, endUser, cached } = record
  const isAttributed =
    endCustomerId !== undefined || tagIds !== undefined || runId !== undefined || endUser !== undefined
  return windows.length === 0 && organizationId === null && !isAttributed && cached === undefined
}

/** Settles what its hold covers; the set lacks all other ids. */
async function settlePlain(pool: Pool, entries: readonly SettleEntry[]): Promise<Set<string>> {
  const [alone] = entries
  if (alone === undefined) return new Set()
  try {
    if (entries.length === 1) return new Set((await settleAlone(pool, alone)) ? [alone.record.id] : [])
    const { rows } = await pool.query<{ id: string }>({
      name: 'settle-generations-plain',
      text: `SELECT id FROM settle_plain_generations(
        string_to_array($1, '${rowSeparator}')::plain_generation[], $2::bigint[]) AS id`,
      values: [entries.map(({ record }) => plainRow(record)).join(rowSeparator), providerCostsOf(entries)],
    })
    return new Set(rows.map(({ id }) => id))
  } catch (error) {
    // A generation that was settled before has a hold again. Nothing of the batch was settled now.
    if (isDuplicate(error)) return new Set()
    throw error
  }
}

async function settleAlone(pool: Pool, { record }: SettleEntry): Promise<boolean> {
  const { rows } = await pool.query<{ settled: boolean }>({
    name: 'settle-generation',
    text: 'SELECT settle_plain_generation($1, $2) AS settled',
    values: [plainRow(record), record.providerCost ?? null],
  })
  return rows[0]?.settled === true
}

/** Null unless a provider costs something else than was charged and absorbed. */
function providerCostsOf(entries: readonly SettleEntry[]): string | null {
  if (entries.every(({ record }) => record.providerCost === undefined)) return null
  return arrayLiteral(entries.map(({ record }) => record.providerCost ?? 'NULL'))
}

/**
 * No row contains this, whatever its values are: a quote inside a value is doubled or follows a backslash, one that
 * opens a value follows a comma, and one that closes it precedes a comma or a parenthesis. So rows need no quoting of
 * their own, which would cost three times the bytes of the rows.
 */
const rowSeparator = ';";'

/**
 * The literal of a `plain_generation`, in the order of its columns. Joining an array, in which null is empty, allocates
 * a third less than a template, which creates a string for each piece.
 */
function plainRow(record: GenerationRecord): string {
  const { usage } = record
  const columns = [
    record.id,
    record.walletId,
    record.keyId,
    record.userId,
    record.sessionId,
    textOf(record.appName),
    textOf(record.endpoint),
    textOf(record.model),
    textOf(record.provider),
    textOf(record.upstreamModel),
    record.upstreamStatus,
    textOf(record.finishReason),
    textOf(record.nativeFinishReason),
    record.streamed,
    record.cancelled,
    record.isByok,
    record.isFailover,
    new Date(record.startedAtMs).toISOString(),
    record.firstTokenMs === null ? null : storableMs(record.firstTokenMs),
    storableMs(record.durationMs),
    usage.uncachedInput,
    usage.cacheRead,
    usage.cacheWrite5m,
    usage.cacheWrite1h,
    usage.audioInput,
    usage.textOutput,
    usage.reasoningOutput,
    usage.imageOutput,
    usage.audioOutput,
    record.held,
    record.cost,
    record.cacheDiscount,
    record.priceId,
    record.refundReason,
    jsonOf(record.attempts),
    jsonOf(record.routing),
    jsonOf(usage.media ?? null),
    record.absorbed ?? zeroUsd,
    record.usageDoubted ?? false,
  ]
  return `(${columns.join(',')})`
}

/** Text that needs no quotes in a row. */
const harmless = /^[\w./:@+-]+$/

function textOf(value: string | null): string | null {
  return value === null || harmless.test(value) ? value : quotedInRow(storableText(value))
}

/** JSON has no control characters, so encoding it as a JSON string escapes exactly its quotes and backslashes. */
function jsonOf(value: object | null): string | null {
  return value === null ? null : JSON.stringify(storableJson(value))
}

function quotedInRow(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '""')}"`
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
function rowOf(record: GenerationRecord): Row {
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
    if (value !== null && value !== 0 && value !== false) row[column] = value
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
  ['end_customer_id', ({ endCustomerId }) => endCustomerId ?? null],
  ['tag_ids', ({ tagIds }) => tagIds ?? null],
  ['run_id', ({ runId }) => runId ?? null],
  ['end_user', ({ endUser }) => endUser ?? null],
  ['cached_from', ({ cached }) => cached?.from ?? null],
  ['cached_percent', ({ cached }) => cached?.percent ?? null],
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
  ['provider_cost_nano', ({ providerCost }) => providerCost?.toString() ?? null],
  ['usage_doubted', (record) => record.usageDoubted ?? false],
  ['media', (record) => record.usage.media ?? null],
]
