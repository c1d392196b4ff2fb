import type { PoolClient } from 'pg'
import type { SettledEvent } from '#domain/events/settled-event.ts'
import type { MediaUsage } from '#domain/inference/usage.ts'
import type { RefundReason } from '#domain/ledger/generation-record.ts'
import { readNano } from '../column-values.ts'

const text = `SELECT id, wallet_id, organization_id, member_id, team_id, user_id, key_id, app_name, endpoint, model,
    provider, attempts->-1->>'account' AS account, upstream_model, upstream_status, finish_reason, streamed, cancelled, is_byok, is_failover, started_at,
    first_token_ms, duration_ms, uncached_input, cache_read, cache_write_5m, cache_write_1h, audio_input, text_output,
    reasoning_output, image_output, audio_output, media, cost_nano, cache_discount_nano, refund_reason, settled_at
  FROM generations WHERE settled_position >= $1 AND settled_position < $2 ORDER BY settled_position, id`

/** All events between these positions, in the order in which they became visible. */
export async function readEvents(
  client: PoolClient,
  { from, below }: { from: string; below: string },
): Promise<SettledEvent[]> {
  const { rows } = await client.query<Row>({ name: 'read-events', text, values: [from, below] })
  return rows.map(eventOf)
}

interface Row {
  id: string
  wallet_id: string
  organization_id: string | null
  member_id: string | null
  team_id: string | null
  user_id: string | null
  key_id: string
  app_name: string | null
  endpoint: string
  model: string
  provider: string | null
  account: string | null
  upstream_model: string | null
  upstream_status: number | null
  finish_reason: string | null
  streamed: boolean
  cancelled: boolean
  is_byok: boolean
  is_failover: boolean
  started_at: Date
  first_token_ms: number | null
  duration_ms: number
  uncached_input: string
  cache_read: string
  cache_write_5m: string
  cache_write_1h: string
  audio_input: string
  text_output: string
  reasoning_output: string
  image_output: string
  audio_output: string
  media: MediaUsage | null
  cost_nano: string
  cache_discount_nano: string
  refund_reason: RefundReason | null
  settled_at: Date
}

function eventOf(row: Row): SettledEvent {
  return {
    id: row.id,
    walletId: row.wallet_id,
    organizationId: row.organization_id,
    memberId: row.member_id,
    teamId: row.team_id,
    userId: row.user_id,
    keyId: row.key_id,
    appName: row.app_name,
    endpoint: row.endpoint,
    model: row.model,
    provider: row.provider,
    account: row.account,
    upstreamModel: row.upstream_model,
    upstreamStatus: row.upstream_status,
    finishReason: row.finish_reason,
    streamed: row.streamed,
    cancelled: row.cancelled,
    isByok: row.is_byok,
    isFailover: row.is_failover,
    startedAtMs: row.started_at.getTime(),
    firstTokenMs: row.first_token_ms,
    durationMs: row.duration_ms,
    usage: usageOf(row),
    cost: readNano(row.cost_nano),
    cacheDiscount: readNano(row.cache_discount_nano),
    refundReason: row.refund_reason,
    settledAtMs: row.settled_at.getTime(),
  }
}

function usageOf(row: Row): SettledEvent['usage'] {
  return {
    uncachedInput: Number(row.uncached_input),
    cacheRead: Number(row.cache_read),
    cacheWrite5m: Number(row.cache_write_5m),
    cacheWrite1h: Number(row.cache_write_1h),
    audioInput: Number(row.audio_input),
    textOutput: Number(row.text_output),
    reasoningOutput: Number(row.reasoning_output),
    imageOutput: Number(row.image_output),
    audioOutput: Number(row.audio_output),
    ...(row.media === null ? {} : { media: row.media }),
  }
}
