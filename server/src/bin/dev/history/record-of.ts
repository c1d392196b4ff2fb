import type { Model, Offer } from '#domain/catalogue/model.ts'
import type { Attempt, GenerationRecord } from '#domain/ledger/generation-record.ts'
import { chargeFor } from '#domain/money/charge.ts'
import { nanoUsd, zeroUsd } from '#domain/money/nano-usd.ts'
import type { PriceList } from '#domain/money/price-list.ts'
import { assert } from '#lib/assert.ts'
import { newUuid, type Uuid } from '#lib/uuid.ts'
import type { DemoRequest } from './demo-requests.ts'

export interface DemoOwner {
  readonly walletId: Uuid
  readonly userId: Uuid
  /** Only for requests that an organization pays. */
  readonly organizationId?: Uuid
  readonly memberId?: Uuid
  readonly teamId?: Uuid | null
}

/** The record that the gateway would have written for a request, charged by the price list of its provider. */
export function recordOf(
  request: DemoRequest,
  { owner, keyId, model }: { owner: DemoOwner; keyId: Uuid; model: Model },
): GenerationRecord {
  const [first, second = first] = pricedOffers(model)
  assert(first !== undefined && second !== undefined, `the sample catalogue has a price of ${model.id}`)
  const served = request.isFailover ? second : first
  const { refundReason } = request
  const charge = refundReason === null ? chargeFor(request.usage, served.price) : nothing
  const finishReason = refundReason === null ? 'stop' : null
  return {
    id: newUuid(request.startedAtMs),
    organizationId: null,
    memberId: null,
    teamId: null,
    ...owner,
    keyId,
    sessionId: null,
    appName: request.appName,
    endpoint: request.endpoint,
    model: model.id,
    provider: served.provider,
    upstreamModel: served.upstreamModel,
    upstreamStatus: refundReason === 'upstream_failed' ? 503 : 200,
    finishReason,
    nativeFinishReason: finishReason,
    streamed: request.streamed,
    cancelled: refundReason === 'client_cancelled',
    isByok: false,
    isFailover: request.isFailover,
    startedAtMs: request.startedAtMs,
    firstTokenMs: refundReason === null ? request.firstTokenMs : null,
    durationMs: request.durationMs,
    usage: request.usage,
    // A hold covers the maximum output, which is usually a few times the actual output.
    held: nanoUsd(charge.cost * 4n),
    cost: charge.cost,
    cacheDiscount: charge.cacheDiscount,
    priceId: charge.cost > 0n ? served.price.id : null,
    refundReason,
    attempts: attemptsOf(request, model.id, { first: first.provider, second: second.provider }),
    routing: {
      candidates: [first, second].map(({ provider, price }) => ({ model: model.id, provider, priceId: price.id })),
      excluded: [],
      autoTier: null,
    },
  }
}

const nothing = { cost: zeroUsd, cacheDiscount: zeroUsd }

type PricedOffer = Offer & { readonly price: PriceList }

/** One offer per provider, the default provider first. */
function pricedOffers({ offers, defaultProvider }: Model): PricedOffer[] {
  const priced = offers.filter((offer): offer is PricedOffer => offer.price !== null && offer.variant === '')
  const own = ({ provider }: Offer): number => (provider === defaultProvider ? 0 : 1)
  return priced.toSorted((one, other) => own(one) - own(other))
}

function attemptsOf(
  { isFailover, refundReason, durationMs }: DemoRequest,
  model: string,
  { first, second }: { first: string; second: string },
): Attempt[] {
  const failed = { model, provider: first, outcome: 'upstreamUnavailable', status: 503, durationMs: 210 }
  if (refundReason === 'upstream_failed') return [failed, { ...failed, provider: second }]
  const outcome = refundReason === 'client_cancelled' ? 'abandoned' : 'answered'
  const last = { model, provider: isFailover ? second : first, outcome, status: 200, durationMs }
  return isFailover ? [failed, last] : [last]
}
