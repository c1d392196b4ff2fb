import { noUsage } from '#domain/inference/usage.ts'
import type { GenerationRecord } from '#domain/ledger/generation-record.ts'
import { type NanoUsd, zeroUsd } from '#domain/money/nano-usd.ts'
import type { PriceList } from '#domain/money/price-list.ts'
import { type Uuid, uuidTimeMs } from '#lib/uuid.ts'
import type { GenerationArchive, LapsedHold, ReceiptScope } from '#ports/account-reads.ts'

export interface FoundGeneration {
  record: Omit<GenerationRecord, 'model' | 'endpoint'> & { model: string | null }
  price: PriceList | null
  priceValidFromMs: number | null
  candidatePrices: ReadonlyMap<string, PriceList>
  /** The owner's id of the customer that the request named. */
  customer: string | null
  /** The client's id of the run that the request named. */
  run: string | null
  /** The wallet owner's price for this customer. Null without a customer. */
  customerPrice: NanoUsd | null
  /** By name; null if the request had none. */
  tags: Readonly<Record<string, string>> | null
}

/**
 * Finds a request by its id, for a key that may list it. A request whose process died left only its expired hold: it
 * cost nothing, and its details are lost, also for which customer it was.
 */
export async function findGeneration(
  generations: GenerationArchive,
  scope: ReceiptScope,
  id: Uuid,
): Promise<FoundGeneration | null> {
  const finished = await generations.find(scope, id)
  if (finished !== null || scope.endCustomerId !== undefined) return finished
  const lapsed = await generations.findLapsed(scope, id)
  return lapsed === null
    ? null
    : {
        record: recordOfLapsed(lapsed),
        price: null,
        priceValidFromMs: null,
        candidatePrices: new Map(),
        customer: null,
        run: null,
        customerPrice: null,
        tags: null,
      }
}

function recordOfLapsed(lapsed: LapsedHold): FoundGeneration['record'] {
  const startedAtMs = uuidTimeMs(lapsed.id)
  return {
    id: lapsed.id,
    walletId: lapsed.walletId,
    keyId: lapsed.keyId,
    userId: null,
    organizationId: null,
    memberId: null,
    teamId: null,
    sessionId: null,
    appName: null,
    model: null,
    provider: null,
    upstreamModel: null,
    upstreamStatus: null,
    finishReason: null,
    nativeFinishReason: null,
    streamed: false,
    cancelled: false,
    isByok: false,
    isFailover: false,
    startedAtMs,
    firstTokenMs: null,
    durationMs: Math.max(0, lapsed.lapsedAtMs - startedAtMs),
    usage: noUsage,
    held: lapsed.amount,
    cost: zeroUsd,
    cacheDiscount: zeroUsd,
    priceId: null,
    refundReason: 'lease_lapsed',
    attempts: [],
    routing: null,
  }
}
