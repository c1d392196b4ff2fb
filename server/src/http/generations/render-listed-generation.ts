import { firstTokenMsOf } from '#domain/ledger/first-token-ms-of.ts'
import { publicGenerationId } from '#domain/ledger/generation-id.ts'
import { tokenTotals } from '#domain/money/charge.ts'
import { usdJson } from '#domain/money/nano-usd.ts'
import type { JsonObject } from '#lib/json.ts'
import type { ListedGeneration } from '#ports/account-reads.ts'

/** A finished request in short, with the names and meanings of its record. */
export function renderListedGeneration(record: ListedGeneration): JsonObject {
  const tokens = tokenTotals(record.usage)
  const cost = usdJson(record.cost)
  return {
    id: publicGenerationId(record.id),
    model: record.model,
    provider: record.provider,
    created_at: new Date(record.startedAtMs).toISOString(),
    app_name: record.appName,
    api_key_id: record.keyId,
    endpoint: record.endpoint,
    finish_reason: record.finishReason,
    status: record.upstreamStatus,
    streamed: record.streamed,
    cancelled: record.cancelled,
    is_byok: record.isByok,
    is_failover: record.isFailover,
    duration_ms: record.durationMs,
    first_token_ms: firstTokenMsOf(record),
    usage: {
      prompt_tokens: tokens.prompt,
      completion_tokens: tokens.completion,
      total_tokens: tokens.total,
      cost,
    },
    total_cost: cost,
    cache_discount: usdJson(record.cacheDiscount),
    refund_reason: record.refundReason,
  }
}
