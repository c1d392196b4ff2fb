import type { Model, Offer } from '#domain/catalogue/model.ts'
import type { ProviderAccount } from './routing-table.ts'

/**
 * The offer of a model that applies to an account. A vendor may sell a model per region or service tier: then the
 * account's own variant decides, else the narrowest region in its URL, else the offer without either, else the first.
 */
export function offerFor(model: Model, account: SellingAccount): Offer | undefined {
  let best: Offer | undefined
  let bestFit = -1
  for (const offer of model.offers) {
    if (offer.provider !== account.vendor) continue
    const fit = fitOf(offer.variant, account)
    if (fit <= bestFit) continue
    best = offer
    bestFit = fit
  }
  return best
}

type SellingAccount = Pick<ProviderAccount, 'vendor' | 'variant' | 'baseUrl'>

function fitOf(variant: string, account: SellingAccount): number {
  if (variant === '') return plainFit
  if (account.variant !== undefined && account.variant !== '') return variant === account.variant ? ownFit : 0
  if (account.baseUrl === null) return 0
  // The longer the name, the narrower the region: `us-gov` before `us`.
  const named = (areas.get(variant) ?? [variant]).filter((region) => namesRegion(account.baseUrl ?? '', region))
  return named.length === 0 ? 0 : plainFit + Math.max(...named.map((region) => region.length))
}

const plainFit = 1
const ownFit = Number.POSITIVE_INFINITY

/** Areas that clouds sell as a whole, by the prefix of their regions. */
const areas: ReadonlyMap<string, readonly string[]> = new Map([
  ['apac', ['ap']],
  ['jp', ['jp', 'ap-northeast-1', 'ap-northeast-3']],
  ['au', ['au', 'ap-southeast-2', 'ap-southeast-4']],
])

/**
 * Whether the region is delimited by dots, hyphens or slashes: `eu` is in `api.eu-west-1.acme.com`, not in
 * `api.neu.de`.
 */
function namesRegion(baseUrl: string, region: string): boolean {
  for (let at = baseUrl.indexOf(region); at !== -1; at = baseUrl.indexOf(region, at + 1)) {
    if (isBoundary(baseUrl[at - 1]) && isBoundary(baseUrl[at + region.length])) return true
  }
  return false
}

function isBoundary(character: string | undefined): boolean {
  return character === undefined || '.-/:'.includes(character)
}
