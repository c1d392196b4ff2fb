import { type UpstreamApi, upstreamApis } from '#domain/catalogue/model.ts'
import { malformed } from '#errors/malformed.ts'
import type { OverriddenVendor } from './parse-overrides.ts'

/** The properties of a vendor that rules need without importing the vendors. */
export interface VendorTerms extends OverriddenVendor {
  /** Null if the operator must configure the server's URL. */
  readonly baseUrl: string | null
  readonly needsCredential: boolean
  /** The APIs that the vendor supports besides its default one. */
  readonly apis: readonly UpstreamApi[]
}

/** Parses the name of an API. Rejects unknown names. */
export function parseApi(text: string): UpstreamApi {
  const api = upstreamApis.find((known) => known === text)
  if (api === undefined) throw malformed(`The API must be one of ${upstreamApis.join(', ')}.`)
  return api
}

/** Rejects an API that the vendor does not support. */
export function assertApi(api: UpstreamApi | null, vendor: VendorTerms): void {
  if (api !== null && !vendor.apis.includes(api)) throw malformed(`${vendor.slug} does not support the API ${api}.`)
}
