import type { StatedPrice, StatedTier, StatedUnits } from '#domain/catalogue/catalogue-row.ts'
import { type PriceUnit, priceUnits } from '#domain/money/price-list.ts'
import { formatUnitPrice, parseUnitPrice } from '#domain/money/unit-price.ts'
import { isJsonObject, type JsonObject } from '#lib/json.ts'
import type { RecordReader } from './record-reader.ts'

/**
 * The price of a model or an offer, from its `pricing` and `pricing_tiers`. Null is not priced: a list of zeros counts as
 * none unless it is meant to be free, because trial access is quoted at zero and nothing may be free by accident.
 */
export function parseStatedPrice(reader: RecordReader, meantFree: boolean): StatedPrice | null {
  const units = parseUnits(reader, reader.record['pricing'], `${reader.path}.pricing`)
  const tiers = parseTiers(reader, units)
  const isZero = [units, ...tiers.map((tier) => tier.units)].every((list) =>
    Object.values(list).every((text) => text === '0'),
  )
  if (isZero) return meantFree ? freePrice : null
  if (meantFree) reader.note(`${reader.path}.pricing`, 'a free entry has a price')
  return { units, tiers }
}

export const freePrice: StatedPrice = { units: { prompt: '0', completion: '0' }, tiers: [] }

function parseUnits(reader: RecordReader, pricing: unknown, path: string): StatedUnits {
  if (pricing === undefined || pricing === null) return {}
  if (!isJsonObject(pricing)) {
    reader.note(path, 'not an object')
    return {}
  }
  const units: Partial<Record<PriceUnit, string>> = {}
  for (const unit of priceUnits) {
    const text = parseAmount(pricing, unit)
    if (text === undefined) continue
    if (text === null) reader.note(`${path}.${unit}`, 'not a plain decimal of at least zero, written as a text')
    else if (isTokenUnit(unit) && parseUnitPrice(text) > tokenPriceMax)
      reader.note(`${path}.${unit}`, 'more than 0.01 USD for one token: is this the price of a million?')
    else units[unit] = text
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
    if (above <= previous) tier.note(`${tier.path}.above_prompt_tokens`, 'thresholds must ascend')
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

// A tier replaces what depends on the length of the prompt. A fee for a request or a search stays what it was.
function flatUnitsOf(base: StatedUnits): StatedUnits {
  return Object.fromEntries(Object.entries(base).filter(([unit]) => !isTokenUnit(unit)))
}

const decimalForm = /^(\d{1,9})(?:\.(\d{1,30}))?$/
const decimalCountMax = 18

/** The amount in its shortest spelling; undefined where the unit is not priced, null where it is not an amount. */
function parseAmount(pricing: JsonObject, unit: PriceUnit): string | null | undefined {
  const text = pricing[unit]
  if (text === undefined || text === null) return undefined
  if (typeof text !== 'string') return null
  const [, whole, decimals = ''] = decimalForm.exec(text) ?? []
  if (whole === undefined) return null
  // Quotients such as 1/12 arrive with 19 decimals; what exceeds the finest price is rounded up, never away.
  const kept = parseUnitPrice(`${whole}.${decimals.slice(0, decimalCountMax).padEnd(1, '0')}`)
  const isCut = /[1-9]/.test(decimals.slice(decimalCountMax))
  return formatUnitPrice(isCut ? kept + 1n : kept)
}

const tokenPriceMax = parseUnitPrice('0.01')

function isTokenUnit(unit: string): boolean {
  return !unit.startsWith('per_') && unit !== 'web_search'
}
