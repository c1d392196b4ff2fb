import type { StatedPrice, StatedTier, StatedUnits } from '#domain/catalogue/catalogue-row.ts'
import type { PriceUnit } from '#domain/money/price-list.ts'
import type { JsonObject } from '#lib/json.ts'
import { shiftDecimal } from '#lib/shift-decimal.ts'
import { parseUnitAmount } from '../parse-price-rules.ts'

/** How a source names our units, and for how many of them it states a price, as a power of ten. */
export interface PriceWords {
  readonly units: Readonly<Record<string, PriceUnit>>
  readonly unitsAsPower: 0 | 6
}

/** The prices that a source states, exactly. A price beyond all measure is none: it is that of another unit. */
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

/** Null where all of it is zero or absent: sources write a zero where they know no price. */
export function listedPrice(units: StatedUnits, tiers: readonly StatedTier[]): StatedPrice | null {
  const isPriced = Object.values(units).some((text) => text !== '0')
  return isPriced ? { units, tiers: tiers.toSorted((a, b) => a.abovePromptTokens - b.abovePromptTokens) } : null
}

/** A tier with the prices of the base where it states none of its own. */
export function listedTier(above: string | undefined, base: StatedUnits, own: StatedUnits): StatedTier[] {
  const abovePromptTokens = listedCount(above)
  return abovePromptTokens === null || Object.keys(own).length === 0
    ? []
    : [{ abovePromptTokens, units: { ...base, ...own } }]
}

/** A positive whole number; sources write 0 where they do not know. */
export function listedCount(value: unknown): number | null {
  const count = typeof value === 'string' && /^\d{1,12}(?:\.0+)?$/.test(value) ? Number(value) : 0
  return Number.isSafeInteger(count) && count > 0 ? count : null
}
