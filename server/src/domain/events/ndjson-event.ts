import { completionTokensOf, promptTokensOf, type Usage } from '#domain/inference/usage.ts'
import { publicGenerationId } from '#domain/ledger/generation-id.ts'
import { formatUsd } from '#domain/money/nano-usd.ts'
import type { SettledEvent } from './settled-event.ts'

/** One line of NDJSON with its line break. The id comes first, so the start of a line identifies it. */
export function ndjsonLine(event: SettledEvent): string {
  return `${JSON.stringify(ndjsonEvent(event))}\n`
}

function ndjsonEvent(event: SettledEvent) {
  return {
    id: publicGenerationId(event.id),
    created_at: new Date(event.startedAtMs).toISOString(),
    settled_at: new Date(event.settledAtMs).toISOString(),
    wallet_id: event.walletId,
    organization_id: event.organizationId,
    member_id: event.memberId,
    team_id: event.teamId,
    user_id: event.userId,
    key_id: event.keyId,
    customer_id: event.customer,
    tags: event.tags,
    end_user: event.endUser,
    app: event.appName,
    endpoint: event.endpoint,
    model: event.model,
    provider: event.provider,
    account: event.account,
    upstream_model: event.upstreamModel,
    status: event.upstreamStatus,
    finish_reason: event.finishReason,
    streamed: event.streamed,
    cancelled: event.cancelled,
    is_byok: event.isByok,
    is_failover: event.isFailover,
    duration_ms: event.durationMs,
    first_token_ms: event.firstTokenMs,
    usage: usageJson(event.usage),
    prompt_tokens: promptTokensOf(event.usage),
    completion_tokens: completionTokensOf(event.usage),
    // A string, because many readers would turn a number into a float.
    cost_usd: formatUsd(event.cost),
    cache_discount_usd: formatUsd(event.cacheDiscount),
    refund_reason: event.refundReason,
  }
}

function usageJson(usage: Usage) {
  const { media = {} } = usage
  return {
    uncached_input: usage.uncachedInput,
    cache_read: usage.cacheRead,
    cache_write_5m: usage.cacheWrite5m,
    cache_write_1h: usage.cacheWrite1h,
    audio_input: usage.audioInput,
    text_output: usage.textOutput,
    reasoning_output: usage.reasoningOutput,
    image_output: usage.imageOutput,
    audio_output: usage.audioOutput,
    // JSON omits these if they were not counted.
    output_images: media.outputImages,
    output_pixels: media.outputPixels,
    input_images: media.inputImages,
    input_pixels: media.inputPixels,
    input_image_tokens: media.inputImageTokens,
    input_characters: media.inputCharacters,
    input_audio_ms: media.inputAudioMs,
    output_video_ms: media.outputVideoMs,
    input_video_ms: media.inputVideoMs,
    video_tokens: media.videoTokens,
    web_searches: media.webSearches,
    search_units: media.searchUnits,
    citation_tokens: media.citationTokens,
  }
}
