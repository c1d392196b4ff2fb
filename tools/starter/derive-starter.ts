import { isRowPriced } from '../../server/src/control/catalogue/count-priced.ts'
import { isWholePrice, officialPriceOf } from '../../server/src/control/catalogue/official-prices.ts'
import { parseCatalogueFile } from '../../server/src/control/catalogue/parse-catalogue-file.ts'
import { writeModelRecord } from '../../server/src/control/catalogue/write-model-record.ts'
import type { CatalogueRow, OfferRow, PriceRow } from '../../server/src/domain/catalogue/catalogue-row.ts'
import { type DisputedPrice, withDisputedPrices } from '../../server/src/domain/catalogue/disputed-price.ts'
import type { ModelKind, UpstreamApi } from '../../server/src/domain/catalogue/model.ts'
import { isJsonObject, type JsonObject, type JsonValue, stringAt } from '../../server/src/lib/json.ts'
import { correctName } from './corrections.ts'
import { type Dispute, findDisputes } from './find-disputes.ts'
import { followAliases, movingAliases } from './follow-aliases.ts'
import { settleRegions } from './settle-regions.ts'
import { settlesPrice, withOfficialPrices } from './with-official-prices.ts'

interface Facts {
  readonly models: readonly JsonObject[]
  readonly disagreements: JsonObject
}

/** Whether the provider's API was verified for such a model, or for the one API through which it is sold. */
type IsVerified = (provider: string, kind: ModelKind, api: UpstreamApi | null) => boolean

interface Starter {
  readonly models: readonly JsonObject[]
  /** Number of models excluded, by reason. */
  readonly leftOut: Readonly<Record<string, number>>
  readonly disputed: number
}

/**
 * The models of the facts that a provider is known to serve, at the prices that sources agree on. Models are excluded
 * if they are retired, free, known from one secondary source, sold by no provider whose API was verified, or without a
 * price. A price on a provider's own page outranks every source. Any other price that sources disagree on is also
 * excluded, and the model lists what each source states.
 */
export function deriveStarter(facts: Facts, isVerified: IsVerified): Starter {
  const leftOut: Record<string, number> = {}
  const leave = (reason: string): [] => {
    leftOut[reason] = (leftOut[reason] ?? 0) + 1
    return []
  }
  const current = facts.models.flatMap((record) => {
    const reason = reasonAgainst(record)
    return reason === undefined ? [correctRecord(record)] : leave(reason)
  })
  const parsed = parseCatalogueFile(current)
  if (!parsed.accepted) throw new Error(`the facts are refused: ${JSON.stringify(parsed.problems)}`)
  const records = new Map(current.map((record) => [stringAt(record, 'id'), record]))
  const rows = parsed.rows.flatMap((row) => {
    const record = records.get(row.id) ?? {}
    const served = keepServed(row, { record, isVerified })
    if (served === undefined) return leave('no verified provider states a price')
    const disputes = findDisputes(record, facts.disagreements).filter((dispute) => !settlesPrice(served, dispute))
    const settled = settleRegions(settleDisputes(withOfficialPrices(served), disputes))
    return isRowPriced(settled) || isDisputed(settled) ? [settled] : leave('without a price')
  })
  const followed = followAliases(rows)
  if (followed.left > 0) leftOut['an alias whose target has no price'] = followed.left
  const models = followed.rows.map((row) => withPriceSource(writeModelRecord(row), records.get(row.id) ?? {}))
  return { models, leftOut, disputed: followed.rows.filter(isDisputed).length }
}

/** Tells a reader of the file where the model's own price comes from. */
function withPriceSource(written: JsonObject, { provider, pricing_from: from }: JsonObject): JsonObject {
  const official = officialPriceOf({
    provider: stringAt(written, 'provider') ?? '',
    variant: '',
    upstreamModel: stringAt(written, 'upstream_model_id') ?? '',
  })
  const target = movingAliases.get(stringAt(written, 'id') ?? '')
  if (target !== undefined) return { ...written, pricing_from: target }
  if (official !== undefined && isWholePrice(official)) return { ...written, pricing_from: official.source }
  const isOwn = written['pricing'] !== undefined && written['provider'] === provider && from !== relisted
  return isOwn && typeof from === 'string' ? { ...written, pricing_from: from } : written
}

const callableKinds: ReadonlySet<unknown> = new Set([
  'chat',
  'image',
  'video',
  'embedding',
  'rerank',
  'moderation',
  'speech',
  'transcription',
] satisfies ModelKind[])

function reasonAgainst(record: JsonObject): string | undefined {
  if (record['status'] === 'retired') return 'retired'
  if (record['status'] === 'unverified') return 'known from one secondary source'
  if (!callableKinds.has(record['kind'])) return `no endpoint for ${String(record['kind'])}`
  return record['free'] === true ? 'free' : undefined
}

/** Names each offer as its provider does, and removes offers that no source names and prices of resellers. */
function correctRecord(record: JsonObject): JsonObject {
  const offers = offersOf(record)
  const named = (each: JsonObject): JsonObject[] => {
    const name = stringAt(each, 'upstream_model_id')
    const correct = name === undefined ? null : correctName(stringAt(each, 'provider') ?? '', name)
    // One of several sources may know that the provider serves the model only through another API.
    const api = offers.find(({ provider, api }) => provider === each['provider'] && api !== undefined)?.['api']
    return correct === null ? [] : [{ ...each, upstream_model_id: correct, api: api ?? null }]
  }
  const [own] = named(record)
  return {
    ...record,
    ...(record['pricing_from'] === relisted ? { pricing: null, pricing_tiers: null } : {}),
    upstream_model_id: own?.['upstream_model_id'] ?? null,
    offers: offers.flatMap(named),
  }
}

// This is a reseller's price, which says nothing about the provider beside it. The offers state what each provider
// charges.
const relisted = 'openrouter listing'

function offersOf(record: JsonObject): JsonObject[] {
  const offers: JsonValue | undefined = record['offers']
  return Array.isArray(offers) ? offers.filter(isJsonObject) : []
}

/**
 * The row with only its verified and priced offers. If the default provider is not among them, the first one replaces
 * it.
 */
function keepServed(
  row: CatalogueRow,
  { record, isVerified }: { record: JsonObject; isVerified: IsVerified },
): CatalogueRow | undefined {
  const isNamed = (offer: OfferRow): boolean =>
    row.upstreamModel !== null || offersOf(record).some(({ provider }) => provider === offer.provider)
  const isPriced = (offer: OfferRow): boolean => row.prices.some((price) => isSameHost(offer, price))
  // An offer without its own price would be sold at another provider's price.
  const offers = row.offers.filter(
    (offer) => isVerified(offer.provider, row.kind, offer.api) && isNamed(offer) && isPriced(offer),
  )
  const prices = row.prices.filter((price) => offers.some((offer) => isSameHost(offer, price)))
  const plain = offers.filter(({ variant }) => variant === '')
  const first = plain.find(({ provider }) => provider === row.defaultProvider) ?? plain[0]
  if (first === undefined) return undefined
  return { ...row, defaultProvider: first.provider, upstreamModel: first.upstreamModel, offers, prices }
}

function isSameHost(
  left: Pick<OfferRow, 'provider' | 'variant'>,
  right: Pick<OfferRow, 'provider' | 'variant'>,
): boolean {
  return left.provider === right.provider && left.variant === right.variant
}

/** Removes disputed prices and the offers at them. The default provider's offer stays, without a price. */
function settleDisputes(row: CatalogueRow, disputes: readonly Dispute[]): CatalogueRow {
  const concerned = disputes.filter(({ provider, upstreamModel }) =>
    row.offers.some(
      (offer) =>
        offer.provider === provider && (upstreamModel === null || offer.upstreamModel.toLowerCase() === upstreamModel),
    ),
  )
  if (concerned.length === 0) return row
  const disputed = mergeByProvider(concerned)
  const isClear = ({ provider }: { provider: string }): boolean => !disputed.some((each) => each.provider === provider)
  const isOwn = ({ provider, variant }: OfferRow): boolean => provider === row.defaultProvider && variant === ''
  return {
    ...row,
    offers: row.offers.filter((offer) => isClear(offer) || isOwn(offer)),
    prices: row.prices.filter((price: PriceRow) => isClear(price)),
    details: withDisputedPrices(row.details, disputed),
  }
}

/** One dispute per provider, with each source's statement once. */
function mergeByProvider(disputes: readonly DisputedPrice[]): DisputedPrice[] {
  const providers = [...new Set(disputes.map(({ provider }) => provider))]
  return providers.map((provider) => {
    const quotes = disputes.filter((each) => each.provider === provider).flatMap((each) => each.quotes)
    return { provider, quotes: [...new Map(quotes.map((quote) => [JSON.stringify(quote), quote])).values()] }
  })
}

function isDisputed(row: CatalogueRow): boolean {
  return row.details['disputed_prices'] !== undefined
}
