import { noUsage } from '#domain/inference/usage.ts'
import { nanoUsd, zeroUsd } from '#domain/money/nano-usd.ts'
import { newUuid } from '#lib/uuid.ts'
import type { HoldRequest, SettleEntry } from '#ports/money.ts'
import type { Payer } from './money-load.ts'

const held = nanoUsd(1_000n)
const cost = nanoUsd(400n)
const usage = { ...noUsage, uncachedInput: 250, textOutput: 120 }

export function holdRequest({ walletId, keyId, windows }: Payer): HoldRequest {
  return { id: newUuid(Date.now()), walletId, keyId, amount: held, windows }
}

/** The record of a plain request, as the pipeline would write it. */
export function settleOf({ windows, ...ids }: Payer, id: string): SettleEntry {
  const record = {
    ...ids,
    id,
    sessionId: null,
    appName: null,
    endpoint: 'chat',
    model: 'openai/gpt-4o-mini',
    provider: 'openai',
    upstreamModel: 'gpt-4o-mini',
    upstreamStatus: 200,
    finishReason: 'stop',
    nativeFinishReason: 'stop',
    streamed: false,
    cancelled: false,
    isByok: false,
    isFailover: false,
    startedAtMs: Date.now(),
    firstTokenMs: 3,
    durationMs: 7,
    usage,
    held,
    cost,
    cacheDiscount: zeroUsd,
    priceId: null,
    refundReason: null,
    routing: null,
    attempts: [{ model: 'openai/gpt-5.2', provider: 'openai', outcome: 'answered', status: 200, durationMs: 5 }],
  }
  return { record, windows }
}
