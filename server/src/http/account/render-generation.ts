import type { FoundGeneration } from '#control/generations/find-generation.ts'
import { chatUsage } from '#dialects/chat/usage-json.ts'
import { firstTokenMsOf } from '#domain/ledger/first-token-ms-of.ts'
import { publicGenerationId } from '#domain/ledger/generation-id.ts'
import { receiptOf } from '#domain/ledger/receipt.ts'
import type { MediaUsage } from '#domain/inference/usage.ts'
import { chargeFor, tokenTotals } from '#domain/money/charge.ts'
import { nanoUsd, usdJson, zeroUsd } from '#domain/money/nano-usd.ts'
import { formatUnitPrice } from '#domain/money/unit-price.ts'
import type { ExplainedCandidate } from '#domain/routing/explanation.ts'
import type { JsonObject } from '#lib/json.ts'

/** A finished request: its properties, duration and cost. */
export function renderGeneration(found: FoundGeneration): JsonObject {
  const { record } = found
  const tokens = tokenTotals(record.usage)
  const cost = usdJson(record.cost)
  const cacheDiscount = usdJson(record.cacheDiscount)
  return {
    id: publicGenerationId(record.id),
    model: record.model,
    provider: record.provider,
    provider_name: record.provider,
    created_at: new Date(record.startedAtMs).toISOString(),
    app_name: record.appName,
    ...(found.customer === null ? {} : { customer: found.customer }),
    ...(found.run === null ? {} : { run: found.run }),
    ...(found.customerPrice === null ? {} : { customer_price: usdJson(found.customerPrice) }),
    ...(found.tags === null ? {} : { tags: found.tags }),
    ...renderCached(record),
    finish_reason: record.finishReason,
    native_finish_reason: record.nativeFinishReason,
    status: record.upstreamStatus,
    ...renderPace(record, tokens.completion),
    usage: { ...chatUsage(record.usage, record.cost), ...renderMedia(record.usage.media) },
    cost_breakdown: {
      subtotal: usdJson(nanoUsd(record.cost + record.cacheDiscount)),
      cache_discount: cacheDiscount,
      total: cost,
    },
    total_cost: cost,
    cache_discount: cacheDiscount,
    tokens_prompt: tokens.prompt,
    tokens_completion: tokens.completion,
    native_tokens_prompt: tokens.prompt,
    native_tokens_completion: tokens.completion,
    native_tokens_reasoning: record.usage.reasoningOutput,
    native_tokens_cached: record.usage.cacheRead,
    streamed: record.streamed,
    cancelled: record.cancelled,
    is_byok: record.isByok,
    is_failover: record.isFailover,
    routing: renderRouting(found),
    hold: renderHold(record),
    refund_reason: record.refundReason,
    ...renderUncharged(record),
    receipt: renderReceipt(found),
  }
}

/** The request that first got the cached answer. Empty for all requests but cache hits. */
function renderCached({ cached }: FoundGeneration['record']): JsonObject {
  if (cached === undefined) return {}
  return { cache: 'hit', cached_from: publicGenerationId(cached.from), cache_price_percent: cached.percent }
}

/** The part of the receipt that was not charged, and why; most requests have none. */
function renderUncharged({ absorbed = zeroUsd, usageDoubted = false }: FoundGeneration['record']): JsonObject {
  return {
    ...(absorbed === 0n ? {} : { absorbed: usdJson(absorbed) }),
    ...(usageDoubted ? { usage_doubted: true } : {}),
  }
}

/** Units besides tokens. */
function renderMedia(media: MediaUsage | undefined): JsonObject {
  if (media === undefined) return {}
  const { outputImages, outputPixels, inputImages, inputPixels, inputCharacters, inputAudioMs, searchUnits, variant } =
    media
  const counts = {
    output_images: outputImages,
    output_pixels: outputPixels,
    input_images: inputImages,
    input_pixels: inputPixels,
    input_characters: inputCharacters,
    input_seconds: inputAudioMs === undefined ? undefined : inputAudioMs / 1_000,
    search_units: searchUnits,
    variant: variant === undefined ? undefined : { ...variant },
  }
  const known = Object.entries(counts).filter(([, count]) => count !== undefined)
  return known.length === 0 ? {} : { media: Object.fromEntries(known) }
}

function renderPace(record: FoundGeneration['record'], completionTokens: number): JsonObject {
  const { durationMs } = record
  return {
    duration_ms: durationMs,
    first_token_ms: firstTokenMsOf(record),
    throughput: durationMs === 0 ? 0 : Math.round((completionTokens * 100_000) / durationMs) / 100,
    latency: durationMs,
    generation_time: Math.max(0, durationMs - (record.firstTokenMs ?? 0)),
  }
}

/** The hold before the request, and how it was used. */
function renderHold({ held, cost }: FoundGeneration['record']): JsonObject {
  const returned = nanoUsd(held > cost ? held - cost : 0n)
  return { held: usdJson(held), charged: usdJson(cost), returned: usdJson(returned) }
}

/**
 * The candidates with their prices, the excluded candidates with the rule that excluded each, and the attempts in order
 * with their outcomes.
 */
function renderRouting(found: FoundGeneration): JsonObject {
  const { attempts, routing, model, provider } = found.record
  const only = model === null || provider === null ? [] : [{ model, provider }]
  return {
    candidates: (routing?.candidates ?? only).map((candidate) => renderCandidate(candidate, found)),
    excluded: (routing?.excluded ?? []).map((excluded) => ({ ...excluded })),
    attempts: attempts.map((attempt) => ({
      model: attempt.model,
      provider: attempt.provider,
      outcome: attempt.outcome,
      status: attempt.status,
      duration_ms: attempt.durationMs,
    })),
    auto_tier: routing?.autoTier ?? null,
  }
}

/** The price at that time, and the cost of the same quantities. */
function renderCandidate(candidate: ExplainedCandidate, found: FoundGeneration): JsonObject {
  const { model, provider, priceId } = candidate
  const { record } = found
  const isOnly = record.routing === null
  const price =
    (priceId === undefined ? undefined : found.candidatePrices.get(priceId)) ?? (isOnly ? found.price : null)
  const wouldCost = price !== null && record.refundReason === null ? usdJson(chargeFor(record.usage, price).cost) : null
  return {
    model,
    provider,
    prompt_price_usd: price?.base.prompt === undefined ? null : formatUnitPrice(price.base.prompt),
    completion_price_usd: price?.base.completion === undefined ? null : formatUnitPrice(price.base.completion),
    would_cost: wouldCost,
  }
}

function renderReceipt({ record, price, priceValidFromMs }: FoundGeneration): JsonObject | null {
  const receipt = receiptOf(record, price)
  if (receipt === null) return null
  return {
    price_id: receipt.priceId,
    price_valid_from: priceValidFromMs === null ? null : new Date(priceValidFromMs).toISOString(),
    lines: receipt.lines.map(({ item, count, unitPriceUsd }) => ({ item, count, unit_price_usd: unitPriceUsd })),
    total: usdJson(receipt.total),
  }
}
