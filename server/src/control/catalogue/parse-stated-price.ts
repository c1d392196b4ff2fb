import type { StatedPrice, StatedTier, StatedUnits } from '#domain/catalogue/catalogue-row.ts'
import { type PriceUnit, priceUnits } from '#domain/money/price-list.ts'
import { isJsonObject } from '#lib/json.ts'
import { isTokenUnit, parsePriceRules, parseUnitAmount } from './parse-price-rules.ts'
import type { RecordReader } from './record-reader.ts'

/**
 * Parses the price of a model or an offer from `pricing`, `pricing_tiers` and `pricing_rules`. Null means not priced: a
 * list of zeros counts as not priced unless it is meant to be free, because trial access is quoted at zero and nothing
 * may be free by accident.
 */
export function parseStatedPrice(reader: RecordReader, meantFree: boolean): StatedPrice | null {
  const base = parseUnits(reader, reader.record['pricing'], `${reader.path}.pricing`)
  const { units, rules } = parsePriceRules(reader, base)
  const tiers = parseTiers(reader, units)
  const amounts = [units, ...tiers.map((tier) => tier.units)].flatMap((list) => Object.values(list))
  const isZero = [...amounts, ...rules.map(({ usd }) => usd)].every((text) => text === '0')
  if (isZero) return meantFree ? freePrice : null
  if (meantFree) reader.note(`${reader.path}.pricing`, 'a free entry must not have a price')
  return { units, tiers, ...(rules.length === 0 ? {} : { rules }) }
}

/**
 * Parses what the operator pays for a model or an offer, which is written like its price. Null means the list price.
 * Zeros are a price here: the operator may pay nothing.
 */
export function parsePurchase(reader: RecordReader): StatedPrice | null {
  const purchase = reader.object('purchase')
  if (purchase === null) return null
  const price = parseStatedPrice(purchase, false)
  if (price !== null) return price
  if (isEmpty(purchase.record['pricing'])) purchase.note(`${purchase.path}.pricing`, 'a price is required')
  return freePrice
}

function isEmpty(pricing: unknown): boolean {
  return pricing === undefined || pricing === null || (isJsonObject(pricing) && Object.keys(pricing).length === 0)
}

const freePrice: StatedPrice = { units: { prompt: '0', completion: '0' }, tiers: [] }

export function parseUnits(reader: RecordReader, pricing: unknown, path: string): StatedUnits {
  if (pricing === undefined || pricing === null) return {}
  if (!isJsonObject(pricing)) {
    reader.note(path, 'must be an object')
    return {}
  }
  const units: Partial<Record<PriceUnit, string>> = {}
  for (const unit of priceUnits) {
    const text = parseUnitAmount({ path, note: reader.note }, { value: pricing[unit], unit, key: unit })
    if (text !== undefined) units[unit] = text
  }
  return units
}

function parseTiers(reader: RecordReader, base: StatedUnits): StatedTier[] {
  const tiers: StatedTier[] = []
  let previous = 0
  for (const tier of reader.objects('pricing_tiers')) {
    const above = tier.count('above_prompt_tokens')
    if (above === null) {
      tier.note(`${tier.path}.above_prompt_tokens`, 'a threshold is required')
      continue
    }
    if (above <= previous) tier.note(`${tier.path}.above_prompt_tokens`, 'thresholds must be in ascending order')
    previous = above
    const units = parseUnits(tier, tier.record, tier.path)
    for (const unit of ['prompt', 'completion'] as const) {
      if (base[unit] !== undefined && units[unit] === undefined)
        tier.note(`${tier.path}.${unit}`, 'missing in this tier')
    }
    tiers.push({ abovePromptTokens: above, units: { ...flatUnitsOf(base), ...units } })
  }
  return tiers
}

// A tier replaces prices that depend on the prompt length. A fee per request or search stays the same.
function flatUnitsOf(base: StatedUnits): StatedUnits {
  return Object.fromEntries(Object.entries(base).filter(([unit]) => !isTokenUnit(unit)))
}
