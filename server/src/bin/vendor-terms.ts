import type { VendorTerms } from '#control/operators/vendor-terms.ts'
import { vendors } from '#providers/registry.ts'
import type { VendorSpec } from '#providers/spec.ts'

/** The properties of the registered vendors that operator rules need. */
export const vendorTerms: readonly VendorTerms[] = Object.values(vendors).map((vendor: VendorSpec) => ({
  slug: vendor.slug,
  baseUrl: vendor.baseUrl,
  needsCredential: vendor.authentication.kind !== 'optional-bearer',
  // A vendor with several protocols chooses one by model.
  protocols: vendor.hostOf === undefined ? [vendor.protocol] : ['openai', 'anthropic', 'gemini'],
  apis: vendor.onResponses === undefined ? [] : ['responses'],
}))
