import { type PricedKind, type PriceList, type PriceUnit, priceUnits } from '#domain/money/price-list.ts'
import { dearestPriceOf } from '#domain/money/price-of.ts'
import { usualCost } from '#domain/money/usual-cost.ts'
import type { Candidate } from './candidates.ts'
import type { ExclusionRule } from './explanation.ts'
import type { Preferences } from './preferences.ts'

/** Which of a client's preferences speaks against a candidate; null for none. */
export function judgeCandidate(
  candidate: Candidate,
  preferences: Preferences,
  { parameters, purpose }: { parameters: readonly string[]; purpose: PricedKind },
): ExclusionRule | null {
  const { only, ignore, quantizations } = preferences
  const { vendor } = candidate.account
  if (only !== null && !only.includes(vendor)) return 'only'
  if (ignore.includes(vendor)) return 'ignore'
  if (preferences.dataCollection === 'deny' && candidate.account.keepsPrompts) return 'data_collection'
  if (quantizations !== null && !quantizations.includes(candidate.quantization?.toLowerCase() ?? 'unknown')) {
    return 'quantizations'
  }
  if (preferences.requireParameters && !supports(candidate, parameters)) return 'require_parameters'
  return isTooDear(candidate, preferences.maxPrice, purpose) ? 'max_price' : null
}

// A catalogue that lists nothing has not said that anything is missing.
function supports({ model }: Candidate, parameters: readonly string[]): boolean {
  const supported = model.supportedParameters ?? []
  return supported.length === 0 || parameters.every((parameter) => supported.includes(parameter))
}

function isTooDear({ price }: Candidate, max: Preferences['maxPrice'], purpose: PricedKind): boolean {
  if (max === null) return false
  return priceUnits.some((unit) => {
    const most = max[unit]
    if (most === undefined) return false
    const asked = dearestPriceOf(unit, [price.base], price) ?? imagePrice(price, unit, purpose)
    return asked !== undefined && asked > most
  })
}

// Unit prices count 10^-18 USD, money 10^-9.
const unitsInNano = 1_000_000_000n

/** Who limits the price of an image means it also where images are priced by their tokens or pixels. */
function imagePrice(price: PriceList, unit: PriceUnit, purpose: PricedKind): bigint | undefined {
  return unit === 'per_image_output' && purpose === 'image' ? usualCost(price, 'image') * unitsInNano : undefined
}
