import type { Catalogue } from '#domain/catalogue/catalogue.ts'
import type { CatalogueRow } from '#domain/catalogue/catalogue-row.ts'
import { chargeFor } from '#domain/money/charge.ts'
import { type NanoUsd, nanoUsd } from '#domain/money/nano-usd.ts'
import { parsePrice } from '#domain/money/state-price.ts'
import type { CatalogueProposal } from '#ports/catalogue-proposals.ts'
import type { OfferCustomer, OfferUse, OfferUseReads } from '#ports/offer-use.ts'
import { rowOfModel } from '../row-of-model.ts'

/** Past requests at an offer whose price changes. */
export interface Impact extends Pick<OfferUse, 'model' | 'provider' | 'requests' | 'customers' | 'charged'> {
  /**
   * The charge at the new price, in proportion: prices of longer prompts and of some hours are left out on both sides.
   * Null if the price is withdrawn.
   */
  readonly wouldBe: NanoUsd | null
}

const periodMs = 30 * 86_400_000

/** The requests of the last 30 days whose price the proposal changes, the most expensive first. */
export async function estimateImpact(
  deps: { readonly catalogue: Catalogue; readonly uses: Pick<OfferUseReads, 'sum'> },
  { changes, rows }: CatalogueProposal,
  nowMs: number,
): Promise<Impact[]> {
  const changed = new Set(changes.flatMap(({ model, what, where }) => (what === 'price' ? [keyOf(model, where)] : [])))
  const rowsById = new Map(rows.map((row) => [row.id, row]))
  const models = rows.map(({ id }) => id).filter((id) => [...changed].some((key) => key.startsWith(`${id}\n`)))
  const sold = models.filter((id) => deps.catalogue.models.has(id))
  if (sold.length === 0) return []
  const used = await deps.uses.sum({ models: sold, fromMs: nowMs - periodMs })
  return used
    .filter(({ model, provider }) => changed.has(keyOf(model, provider)))
    .map(({ usage, ...use }) => {
      const model = deps.catalogue.models.get(use.model)
      const before = costOf({ usage, ...use }, model && rowOfModel(model))
      const after = costOf({ usage, ...use }, rowsById.get(use.model))
      return { ...use, wouldBe: after === null ? null : inProportion(use.charged, before, after) }
    })
    .toSorted((one, other) => (one.charged < other.charged ? 1 : one.charged > other.charged ? -1 : 0))
}

const customersMax = 100

/** Who made the requests of an impact, with the highest charges first. */
export async function listAffected(
  uses: Pick<OfferUseReads, 'listCustomers'>,
  impacts: readonly Impact[],
  nowMs: number,
): Promise<readonly OfferCustomer[]> {
  if (impacts.length === 0) return []
  return uses.listCustomers({ offers: impacts, fromMs: nowMs - periodMs, limit: customersMax })
}

/** A line of a price begins with its provider; variants of one provider are judged together. */
function keyOf(model: string, where: string): string {
  return `${model}\n${where.split(/[ /]/)[0]}`
}

/** The cost of all requests at the plain price. Null if the provider has none. */
function costOf({ usage, requests, provider }: OfferUse, row: CatalogueRow | undefined): NanoUsd | null {
  const prices = row?.prices.filter((price) => price.provider === provider) ?? []
  const stated = prices.find(({ variant }) => variant === '') ?? prices[0]
  if (stated === undefined) return null
  const price = parsePrice({ id: '', units: stated.units, tiers: [] })
  const perRequest = (price.base.per_request ?? 0n) / nanoInUnits
  return nanoUsd(chargeFor(usage, price).cost + BigInt(requests - 1) * perRequest)
}

// Unit prices are in 10^-18 USD, money in 10^-9.
const nanoInUnits = 1_000_000_000n

function inProportion(charged: NanoUsd, was: NanoUsd | null, is: NanoUsd): NanoUsd {
  return was === null || was === 0n ? is : nanoUsd((charged * is) / was)
}
