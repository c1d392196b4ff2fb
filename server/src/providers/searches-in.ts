import { noSearches, type SearchAllowance } from '#domain/inference/search-allowance.ts'
import type { JsonObject } from '#lib/json.ts'
import { findAnyVendor } from './own-key-vendor.ts'
import { claudeSearchesIn } from './protocols/anthropic/search-tools.ts'

/** The web searches that a request may make at this vendor under this model name, for its hold. */
export function searchesIn(body: JsonObject, slug: string, upstreamModel: string): SearchAllowance {
  const vendor = findAnyVendor(slug)
  const host = vendor?.hostOf?.(upstreamModel) ?? vendor
  switch (host?.protocol) {
    case 'anthropic':
      return claudeSearchesIn(body)
    case 'openai':
      return host.openai.searchesIn?.(body, upstreamModel) ?? noSearches
    default:
      // The gateway never asks Gemini or Bedrock to search.
      return noSearches
  }
}
