import type { VendorTerms } from '#control/operators/vendor-terms.ts'
import { vendors } from '#providers/registry.ts'
import type { VendorSpec } from '#providers/spec.ts'

/** What operators' rules must know of the registered vendors. */
export const vendorTerms: readonly VendorTerms[] = Object.values(vendors).map((vendor: VendorSpec) => ({
  slug: vendor.slug,
  baseUrl: vendor.baseUrl,
  needsCredential: vendor.authentication.kind !== 'optional-bearer',
  // One that speaks several protocols does so model by model.
  protocols: vendor.hostOf === undefined ? [vendor.protocol] : ['openai', 'anthropic', 'gemini'],
  apis: vendor.onResponses === undefined ? [] : ['responses'],
}))
