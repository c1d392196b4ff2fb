import { GatewayError } from '#errors/gateway-error.ts'
import { malformed } from '#errors/malformed.ts'
import type { JsonObject } from '#lib/json.ts'
import type { ChangeAuthor } from '#ports/keys.ts'
import type { Operators, ProviderAccountListing, ProviderAccountTerms } from '#ports/operators.ts'
import type { OverridesEdit } from './edit-overrides.ts'
import { platformEntry } from './platform-entry.ts'
import { renderOverrides } from './render-overrides.ts'
import { assertApi, type VendorTerms } from './vendor-terms.ts'

interface ProviderAccountEdit extends Partial<ProviderAccountTerms> {
  name: string
  /** A disabled account keeps its routes and its credential but gets no requests. */
  enabled?: boolean
  overridesOf?: OverridesEdit
}

/** Changes the given fields. */
export async function changeProviderAccount(
  { operators, vendors }: { operators: Operators; vendors: readonly VendorTerms[] },
  { name, ...change }: ProviderAccountEdit,
  author: ChangeAuthor,
): Promise<ProviderAccountListing> {
  assertAccountTerms(change)
  const changed = await operators.changeAccount(name, change, (before, after) => {
    const vendor = vendors.find(({ slug }) => slug === after.vendor)
    if (vendor !== undefined) assertApi(after.api, vendor)
    const [old, current] = [settingsOf(before), settingsOf(after)]
    if (JSON.stringify(old) === JSON.stringify(current)) return null
    const target = { kind: 'provider', id: before.id }
    return platformEntry(author, { action: 'provider.update', target, before: old, after: current, details: { name } })
  })
  if (changed === null) throw missingAccount(name)
  return changed
}

export function missingAccount(name: string): GatewayError {
  return new GatewayError('notFound', { message: `Provider account ${name} not found.` })
}

function settingsOf({ overrides, ...account }: ProviderAccountListing): JsonObject {
  const { enabled, weight, keepsPrompts, variant, api, discountPpm } = account
  return { enabled, weight, keepsPrompts, variant, api, discountPpm, overrides: renderOverrides(overrides) }
}

const weightMax = 1_000
const variantForm = /^[a-z0-9._-]{0,63}$/

/** Rejects invalid account terms. */
export function assertAccountTerms({ weight, variant }: Partial<ProviderAccountTerms>): void {
  if (weight !== undefined && !(Number.isInteger(weight) && weight >= 1 && weight <= weightMax)) {
    throw malformed(`The weight must be an integer from 1 to ${weightMax}. To send an account no requests, disable it.`)
  }
  if (variant !== undefined && !variantForm.test(variant)) {
    throw malformed('The variant must be a region or service tier as written in the catalogue, such as eu.')
  }
}
