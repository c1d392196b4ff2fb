import { completionTokensOf, promptTokensOf } from '#domain/inference/usage.ts'
import { publicGenerationId } from '#domain/ledger/generation-id.ts'
import type { RefundReason } from '#domain/ledger/generation-record.ts'
import { usdJson } from '#domain/money/nano-usd.ts'
import { failedReasons } from '#domain/usage/failed-reasons.ts'
import { type OtelAttribute, otelAttributes } from './otel-attributes.ts'
import { operationOf, outputTypeOf, providerNameOf, scopeName, serviceName } from './otel-names.ts'
import type { SettledEvent } from './settled-event.ts'

const spanKindClient = 3
const statusError = 2

/** Refund reasons that ended in an error for the client: the failures of our own statistics and these. */
const errorReasons: ReadonlySet<RefundReason> = new Set([...failedReasons, 'upstream_rejected', 'credit_exhausted'])

/** The body of one export: one span per settled request, in OTLP's JSON format. */
export function otelTraces(events: readonly SettledEvent[]): string {
  return JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: otelAttributes({ serviceName }) },
        scopeSpans: [{ scope: { name: scopeName }, spans: events.map(otelSpan) }],
      },
    ],
  })
}

interface OtelSpan {
  readonly traceId: string
  readonly spanId: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly OtelAttribute[]
  readonly status?: { readonly code: number; readonly message: string }
}

/** Both ids are derived from the generation's id, so a repeated event is the same span. */
function otelSpan(event: SettledEvent): OtelSpan {
  const hex = event.id.replaceAll('-', '')
  const error = errorOf(event)
  return {
    traceId: hex,
    spanId: hex.slice(16),
    name: `${operationOf(event.endpoint)} ${event.model}`,
    kind: spanKindClient,
    startTimeUnixNano: unixNanos(event.startedAtMs),
    endTimeUnixNano: unixNanos(event.startedAtMs + event.durationMs),
    attributes: otelAttributes({ ...requestOf(event), ...usageOf(event), ...ownOf(event), errorType: error }),
    ...(error === null ? {} : { status: { code: statusError, message: error } }),
  }
}

type Values = Parameters<typeof otelAttributes>[0]

function requestOf(event: SettledEvent): Values {
  const { endpoint, firstTokenMs } = event
  return {
    operation: operationOf(endpoint),
    provider: providerNameOf(event.provider),
    outputType: outputTypeOf(endpoint),
    requestModel: event.model,
    requestStream: event.streamed ? true : null,
    responseId: publicGenerationId(event.id),
    responseModel: event.upstreamModel,
    finishReasons: finishReasonsOf(event),
    firstChunkSeconds: event.streamed && firstTokenMs !== null ? { double: firstTokenMs / 1_000 } : null,
  }
}

// The conventions require `error` if an expected reason is missing.
function finishReasonsOf({ endpoint, finishReason }: SettledEvent): readonly string[] | null {
  if (finishReason !== null) return [finishReason]
  return operationOf(endpoint) === 'chat' ? ['error'] : null
}

/** Subtotals are included only if they are not zero; each is contained in its sum. */
function usageOf({ usage }: SettledEvent): Values {
  const cacheWrite = usage.cacheWrite5m + usage.cacheWrite1h
  return {
    inputTokens: promptTokensOf(usage),
    outputTokens: completionTokensOf(usage),
    cacheReadTokens: usage.cacheRead || null,
    cacheWriteTokens: cacheWrite || null,
    cacheCreationTokens: cacheWrite || null,
    reasoningTokens: usage.reasoningOutput || null,
    audioInputTokens: usage.audioInput || null,
    audioOutputTokens: usage.audioOutput || null,
    imageInputTokens: usage.media?.inputImageTokens || null,
    imageOutputTokens: usage.imageOutput || null,
    webSearches: usage.media?.webSearches || null,
    citationTokens: usage.media?.citationTokens || null,
  }
}

function ownOf(event: SettledEvent): Values {
  return {
    // The digits are exact, but receivers store a double; reconcile with the integer beside it.
    costUsd: { double: usdJson(event.cost) },
    costNanoUsd: event.cost,
    cacheDiscountUsd: { double: usdJson(event.cacheDiscount) },
    refundReason: event.refundReason,
    walletId: event.walletId,
    organizationId: event.organizationId,
    memberId: event.memberId,
    teamId: event.teamId,
    userId: event.userId,
    keyId: event.keyId,
    app: event.appName,
    endpoint: event.endpoint,
    upstreamProvider: event.provider,
    upstreamAccount: event.account,
    upstreamStatus: event.upstreamStatus,
    isCancelled: event.cancelled,
    isByok: event.isByok,
    isFailover: event.isFailover,
    settledAt: new Date(event.settledAtMs).toISOString(),
  }
}

function errorOf({ refundReason }: SettledEvent): string | null {
  return refundReason !== null && errorReasons.has(refundReason) ? refundReason : null
}

function unixNanos(unixMs: number): string {
  return (BigInt(unixMs) * 1_000_000n).toString()
}
