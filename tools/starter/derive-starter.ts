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

/** Whether a provider is known to take such a model, through the interface where it is sold through one alone. */
type IsVerified = (provider: string, kind: ModelKind, api: UpstreamApi | null) => boolean

interface Starter {
  readonly models: readonly JsonObject[]
  /** How many models each reason kept out. */
  readonly leftOut: Readonly<Record<string, number>>
  readonly disputed: number
}

/**
 * The models of the facts that a provider is known to serve, at the prices that sources agree on. Models that are
 * retired, free, known from one secondary source, sold by no provider whose API was verified, or without a price are
 * left out. A price that a provider's own page states outranks every source. Any other price that sources do not agree
 * on is left out as well, and the model says what each of them states.
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

/** A reader of the file sees where the model's own price is from. */
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
  'speech',
  'transcription',
] satisfies ModelKind[])

function reasonAgainst(record: JsonObject): string | undefined {
  if (record['status'] === 'retired') return 'retired'
  if (record['status'] === 'unverified') return 'known from one secondary source'
  if (!callableKinds.has(record['kind'])) return `no endpoint for ${String(record['kind'])}`
  return record['free'] === true ? 'free' : undefined
}

/**
 * Each offer under the name that its provider takes, without offers that no source names, and without prices of
 * resellers.
 */
function correctRecord(record: JsonObject): JsonObject {
  const offers = offersOf(record)
  const named = (each: JsonObject): JsonObject[] => {
    const name = stringAt(each, 'upstream_model_id')
    const correct = name === undefined ? null : correctName(stringAt(each, 'provider') ?? '', name)
    // Of several sources one may know that the provider takes the model through another interface alone.
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

// Such a price is that of a reseller, and no statement about the provider beside it. The offers say what each provider
// asks.
const relisted = 'openrouter listing'

function offersOf(record: JsonObject): JsonObject[] {
  const offers: JsonValue | undefined = record['offers']
  return Array.isArray(offers) ? offers.filter(isJsonObject) : []
}

/**
 * The row with its verified and priced offers alone. Where the default provider is not among them, the first takes its
 * place.
 */
function keepServed(
  row: CatalogueRow,
  { record, isVerified }: { record: JsonObject; isVerified: IsVerified },
): CatalogueRow | undefined {
  const isNamed = (offer: OfferRow): boolean =>
    row.upstreamModel !== null || offersOf(record).some(({ provider }) => provider === offer.provider)
  const isPriced = (offer: OfferRow): boolean => row.prices.some((price) => isSameHost(offer, price))
  // An offer without a price of its own would be sold at that of another provider.
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

/** Takes the prices in dispute out, and the offers at them; the default provider's offer stays, without a price. */
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

/** One dispute for each provider, with what every source says once. */
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
