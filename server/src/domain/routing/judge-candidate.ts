import { type PricedKind, type PriceList, type PriceUnit, priceUnits } from '#domain/money/price-list.ts'
import { dearestPriceOf } from '#domain/money/price-of.ts'
import { usualCost } from '#domain/money/usual-cost.ts'
import type { Candidate } from './candidates.ts'
import type { ExclusionRule } from './explanation.ts'
import type { Preferences } from './preferences.ts'

/** The client preference that excludes a candidate; null if none does. */
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

// A catalogue entry without a list does not exclude any parameter.
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

// Unit prices are in 10^-18 USD, money in 10^-9.
const unitsInNano = 1_000_000_000n

/** A limit on the price of an image also applies if images are priced by tokens or pixels. */
function imagePrice(price: PriceList, unit: PriceUnit, purpose: PricedKind): bigint | undefined {
  return unit === 'per_image_output' && purpose === 'image' ? usualCost(price, 'image') * unitsInNano : undefined
}
