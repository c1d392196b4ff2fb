import type { StatedPrice, StatedTier, StatedUnits } from '#domain/catalogue/catalogue-row.ts'
import type { PriceUnit } from '#domain/money/price-list.ts'
import type { JsonObject } from '#lib/json.ts'
import { shiftDecimal } from '#lib/shift-decimal.ts'
import { parseUnitAmount } from '../parse-price-rules.ts'

/** A source's names for our units, and the number of units per price as a power of ten. */
export interface PriceWords {
  readonly units: Readonly<Record<string, PriceUnit>>
  readonly unitsAsPower: 0 | 6
}

/** The prices that a source states, exactly. An absurdly high price is ignored, because it belongs to another unit. */
export function listedUnits(stated: JsonObject, { units, unitsAsPower }: PriceWords): StatedUnits {
  return Object.fromEntries(
    Object.entries(units).flatMap(([word, unit]) => {
      const value = stated[word]
      const amount = typeof value === 'string' ? shiftDecimal(value, -unitsAsPower) : undefined
      const text = parseUnitAmount({ path: '', note: () => {} }, { value: amount, unit, key: word })
      return text === undefined ? [] : [[unit, text]]
    }),
  )
}

/** Returns null if all prices are zero or missing, because sources write zero for an unknown price. */
export function listedPrice(units: StatedUnits, tiers: readonly StatedTier[]): StatedPrice | null {
  const isPriced = Object.values(units).some((text) => text !== '0')
  return isPriced ? { units, tiers: tiers.toSorted((a, b) => a.abovePromptTokens - b.abovePromptTokens) } : null
}

/** A tier, with the base prices for units that it does not state. */
export function listedTier(above: string | undefined, base: StatedUnits, own: StatedUnits): StatedTier[] {
  const abovePromptTokens = listedCount(above)
  return abovePromptTokens === null || Object.keys(own).length === 0
    ? []
    : [{ abovePromptTokens, units: { ...base, ...own } }]
}

/** A positive integer, or null; sources write 0 for unknown. */
export function listedCount(value: unknown): number | null {
  const count = typeof value === 'string' && /^\d{1,12}(?:\.0+)?$/.test(value) ? Number(value) : 0
  return Number.isSafeInteger(count) && count > 0 ? count : null
}
