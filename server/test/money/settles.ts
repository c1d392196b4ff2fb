import { noUsage } from '#domain/inference/usage.ts'
import type { GenerationRecord } from '#domain/ledger/generation-record.ts'
import type { LimitedWindow } from '#domain/limits/scopes.ts'
import { type NanoUsd, zeroUsd } from '#domain/money/nano-usd.ts'
import type { SettleEntry } from '#ports/money.ts'

export interface Payer {
  id: string
  walletId: string
  keyId: string
  userId: string | null
  organizationId?: string
  memberId?: string
  teamId?: string
  sessionId?: string
}

/** A finished request of this payer, as the pipeline would settle it. */
export function settleEntry(
  who: Payer,
  cost: NanoUsd,
  options: { startedAtMs?: number; held?: NanoUsd; windows?: readonly LimitedWindow[] } = {},
): SettleEntry {
  const record: GenerationRecord = {
    id: who.id,
    walletId: who.walletId,
    keyId: who.keyId,
    userId: who.userId,
    organizationId: who.organizationId ?? null,
    memberId: who.memberId ?? null,
    teamId: who.teamId ?? null,
    sessionId: who.sessionId ?? null,
    appName: null,
    endpoint: 'chat',
    model: 'acme/model',
    provider: 'openai',
    upstreamModel: 'model',
    upstreamStatus: 200,
    finishReason: 'stop',
    nativeFinishReason: null,
    streamed: false,
    cancelled: false,
    isByok: false,
    isFailover: false,
    startedAtMs: options.startedAtMs ?? Date.now(),
    firstTokenMs: null,
    durationMs: 1,
    usage: noUsage,
    held: options.held ?? zeroUsd,
    cost,
    cacheDiscount: zeroUsd,
    priceId: null,
    refundReason: cost === 0n ? 'no_usage' : null,
    attempts: [],
    routing: null,
  }
  return { record, windows: options.windows ?? [] }
}
