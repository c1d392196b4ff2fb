import { noSearches, type SearchAllowance } from '#domain/inference/search-allowance.ts'
import { countAt, type JsonObject, type JsonValue, objectAt, stringAt } from '#lib/json.ts'
import type { ExtraCounts } from '#providers/spec.ts'

/**
 * A request has one fee for all its searches, but deep research has one per query. The billed amount shows which
 * applied.
 */
export function perplexitySearchCounts(usage: JsonObject): ExtraCounts {
  return {
    webSearches: billedSearches(usage),
    citationTokens: countAt(usage, 'citation_tokens'),
    searchContextSize: stringAt(usage, 'search_context_size'),
  }
}

function billedSearches(usage: JsonObject): number | undefined {
  const { request_cost: fee, search_queries_cost: queriesFee } = objectAt(usage, 'cost')
  if (isPaid(fee)) return 1
  return queriesFee === undefined || isPaid(queriesFee) ? countAt(usage, 'num_search_queries') : 0
}

function isPaid(cost: JsonValue | undefined): boolean {
  return typeof cost === 'number' && cost > 0
}

/**
 * Deep research has no limit, so its hold covers more than the highest known usage: 74 searches, 7,299 quoted tokens.
 */
const deepResearch: SearchAllowance = { ...noSearches, webSearches: 100, citationTokens: 100_000 }

export function perplexitySearchesIn(_body: JsonObject, upstreamModel: string): SearchAllowance {
  return /deep-research/.test(upstreamModel) ? deepResearch : { ...noSearches, webSearches: 1 }
}
