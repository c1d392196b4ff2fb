import { noSearches, type SearchAllowance } from '#domain/inference/search-allowance.ts'
import { isJsonObject, type JsonObject, objectsIn } from '#lib/json.ts'

/**
 * The number of searches by the model's own provider is unlimited, so the hold covers Claude's default number of
 * searches, and the results as part of the prompt.
 */
const webPlugin: SearchAllowance = { ...noSearches, webSearches: 5, promptTokens: 50_000 }

export function openRouterSearchesIn({ plugins, tools, web_search_options: options }: JsonObject): SearchAllowance {
  const asks =
    isJsonObject(options) ||
    objectsIn(plugins).some(({ id }) => id === 'web') ||
    objectsIn(tools).some(({ type }) => type === 'openrouter:web_search')
  return asks ? webPlugin : noSearches
}
