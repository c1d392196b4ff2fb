import { type UpstreamApi, upstreamApis } from '#domain/catalogue/model.ts'
import { malformed } from '#errors/malformed.ts'
import type { OverriddenVendor } from './parse-overrides.ts'

/** What a rule must know of a vendor without knowing the vendors themselves. */
export interface VendorTerms extends OverriddenVendor {
  /** Null: the operator must say where the server is. */
  readonly baseUrl: string | null
  readonly needsCredential: boolean
  /** The interfaces that it can be asked through, beside its usual one. */
  readonly apis: readonly UpstreamApi[]
}

/** The interface of this name; refuses names that mean nothing. */
export function parseApi(text: string): UpstreamApi {
  const api = upstreamApis.find((known) => known === text)
  if (api === undefined) throw malformed(`The API must be one of ${upstreamApis.join(', ')}.`)
  return api
}

/** Refuses an interface that the vendor does not have. */
export function assertApi(api: UpstreamApi | null, vendor: VendorTerms): void {
  if (api !== null && !vendor.apis.includes(api)) throw malformed(`${vendor.slug} does not support the API ${api}.`)
}
