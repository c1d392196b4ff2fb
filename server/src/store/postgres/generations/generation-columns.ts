import type { MediaUsage, Usage } from '#domain/inference/usage.ts'
import type { GenerationRecord, RefundReason } from '#domain/ledger/generation-record.ts'
import type { UsageScope } from '#domain/usage/usage-scope.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { ListedGeneration } from '#ports/account-reads.ts'
import { readNano } from '../column-values.ts'

/** The usage columns of a generation. The driver reads a bigint as a string. */
interface UsageColumns {
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
}

function usageOfRow(row: UsageColumns): Usage {
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

/** The columns that the list of requests, a single request and its event share. */
export interface GenerationColumns extends UsageColumns {
  id: string
  key_id: string
  app_name: string | null
  endpoint: string
  model: string
  provider: string | null
  upstream_status: number | null
  finish_reason: string | null
  streamed: boolean
  cancelled: boolean
  is_byok: boolean
  is_failover: boolean
  started_at: Date
  first_token_ms: number | null
  duration_ms: number
  cost_nano: string
  cache_discount_nano: string
  refund_reason: RefundReason | null
}

type SharedGeneration = Omit<
  ListedGeneration,
  'attemptCount' | 'memberId' | 'teamId' | 'tags' | 'user' | 'customer' | 'customerPrice'
>

/** Names each field, because an event must not carry a column that it does not declare. */
export function generationOfRow(row: GenerationColumns): SharedGeneration {
  return {
    id: row.id,
    keyId: row.key_id,
    appName: row.app_name,
    endpoint: row.endpoint,
    model: row.model,
    provider: row.provider,
    upstreamStatus: row.upstream_status,
    finishReason: row.finish_reason,
    streamed: row.streamed,
    cancelled: row.cancelled,
    isByok: row.is_byok,
    isFailover: row.is_failover,
    startedAtMs: row.started_at.getTime(),
    firstTokenMs: row.first_token_ms,
    durationMs: row.duration_ms,
    usage: usageOfRow(row),
    cost: readNano(row.cost_nano),
    cacheDiscount: readNano(row.cache_discount_nano),
    refundReason: row.refund_reason,
  }
}

/** The columns that say who sent a request and which upstream model served it. Lists omit them. */
export interface AttributedColumns extends GenerationColumns {
  wallet_id: string
  organization_id: string | null
  member_id: string | null
  team_id: string | null
  user_id: string | null
  upstream_model: string | null
}

type AttributedGeneration = SharedGeneration &
  Pick<GenerationRecord, 'walletId' | 'organizationId' | 'memberId' | 'teamId' | 'userId' | 'upstreamModel'>

export function attributedGenerationOfRow(row: AttributedColumns): AttributedGeneration {
  return {
    ...generationOfRow(row),
    walletId: row.wallet_id,
    organizationId: row.organization_id,
    memberId: row.member_id,
    teamId: row.team_id,
    userId: row.user_id,
    upstreamModel: row.upstream_model,
  }
}

/** The tags of a generation by name; null without any. */
export function tagsOf(alias: string): string {
  return `(SELECT jsonb_object_agg(t.name, t.value) FROM wallet_tags t WHERE t.id = ANY (${alias}.tag_ids)) AS tags`
}

/** The owner's id of the customer that a generation named; null if it named none. */
export function customerOf(alias: string): string {
  return `(SELECT c.external_id FROM end_customers c WHERE c.id = ${alias}.end_customer_id) AS customer`
}

export function runOf(alias: string): string {
  return `(SELECT r.external_id FROM runs r WHERE r.id = ${alias}.run_id) AS run`
}

/** The member and the key to which a scope is narrowed, as parameters. Null does not narrow. */
export function ownerOf({ only }: UsageScope): [memberId: Uuid | null, keyId: Uuid | null] {
  if (only === null) return [null, null]
  return 'memberId' in only ? [only.memberId, null] : [null, only.keyId]
}
