import type { VendorTerms } from '#control/operators/add-provider-account.ts'
import { vendors } from '#providers/registry.ts'

/** What operators' rules must know of the registered vendors. */
export const vendorTerms: readonly VendorTerms[] = Object.values(vendors).map(({ slug, baseUrl, authentication }) => ({
  slug,
  baseUrl,
  needsCredential: authentication.kind !== 'optional-bearer',
}))
