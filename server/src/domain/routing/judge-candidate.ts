import { priceUnits } from '#domain/money/price-list.ts'
import type { Candidate } from './candidates.ts'
import type { ExclusionRule } from './explanation.ts'
import type { Preferences } from './preferences.ts'

/** Which of a caller's preferences speaks against a candidate; null for none. */
export function judgeCandidate(
  candidate: Candidate,
  preferences: Preferences,
  parameters: readonly string[],
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
  return isTooDear(candidate, preferences.maxPrice) ? 'max_price' : null
}

// A catalogue that lists nothing has not said that anything is missing.
function supports({ model }: Candidate, parameters: readonly string[]): boolean {
  const supported = model.supportedParameters ?? []
  return supported.length === 0 || parameters.every((parameter) => supported.includes(parameter))
}

function isTooDear({ price }: Candidate, max: Preferences['maxPrice']): boolean {
  if (max === null) return false
  return priceUnits.some((unit) => {
    const [asked, most] = [price.base[unit], max[unit]]
    return asked !== undefined && most !== undefined && asked > most
  })
}
