import { addOverrides, type ModelOverrides } from '#domain/routing/trait-overrides.ts'
import { assert } from '#lib/assert.ts'
import type { JsonObject, JsonValue } from '#lib/json.ts'
import type { ProviderAccountListing } from '#ports/operators.ts'
import { type OverriddenVendor, parseOverrides } from './parse-overrides.ts'

/** Computes the overrides of an account after an edit. */
export type OverridesEdit = (account: ProviderAccountListing) => readonly ModelOverrides[]

/** Replaces all overrides. */
export function replaceOverrides(vendors: readonly OverriddenVendor[], rows: JsonValue): OverridesEdit {
  return (account) => parseOverrides(rows, vendorOf(vendors, account))
}

/**
 * Sets the traits of one model, or of all models without their own row, in addition to or instead of the earlier ones.
 */
export function overrideModel(
  vendors: readonly OverriddenVendor[],
  { model, traits, isCleared }: { model: string | undefined; traits: JsonObject; isCleared: boolean },
): OverridesEdit {
  return (account) => {
    const others = account.overrides.filter((row) => row.model !== model)
    if (isCleared && Object.keys(traits).length === 0) return others
    const named = model === undefined ? {} : { model }
    const [added = {}] = parseOverrides([{ ...named, ...traits }], vendorOf(vendors, account))
    const before = isCleared ? undefined : account.overrides.find((row) => row.model === model)
    return [...others, { ...named, ...addOverrides(before ?? {}, added) }]
  }
}

function vendorOf(vendors: readonly OverriddenVendor[], { vendor: slug }: ProviderAccountListing): OverriddenVendor {
  const vendor = vendors.find((each) => each.slug === slug)
  assert(vendor !== undefined, `the vendor ${slug} of a provider account is registered`)
  return vendor
}
