import { noSearches } from '#domain/inference/search-allowance.ts'
import { stringAt } from '#lib/json.ts'
import type { OpenAiQuirks } from '#providers/spec.ts'

/**
 * Models that search the web once before each response. OpenAI bills each search, and the responses do not count them,
 * so a response with usage is one search.
 */
export const searchModels: Pick<OpenAiQuirks, 'extraCounts' | 'searchesIn'> = {
  extraCounts: (_usage, chunk) => (searchesAlways(stringAt(chunk, 'model') ?? '') ? { webSearches: 1 } : {}),
  searchesIn: (_body, upstreamModel) =>
    searchesAlways(upstreamModel) ? { ...noSearches, webSearches: 1, isTold: true } : noSearches,
}

function searchesAlways(model: string): boolean {
  return /-search-(?:preview|api)\b/.test(model)
}
