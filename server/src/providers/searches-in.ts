import { noSearches, type SearchAllowance } from '#domain/inference/search-allowance.ts'
import type { JsonObject } from '#lib/json.ts'
import { findAnyVendor } from './own-key-vendor.ts'
import { claudeSearchesIn } from './protocols/anthropic/search-tools.ts'

/** What a call may look up on the web where this vendor serves it under this name, for its hold. */
export function searchesIn(body: JsonObject, slug: string, upstreamModel: string): SearchAllowance {
  const vendor = findAnyVendor(slug)
  const host = vendor?.hostOf?.(upstreamModel) ?? vendor
  switch (host?.protocol) {
    case 'anthropic':
      return claudeSearchesIn(body)
    case 'openai':
      return host.openai.searchesIn?.(body, upstreamModel) ?? noSearches
    default:
      // Gemini and Bedrock are never asked to search.
      return noSearches
  }
}
