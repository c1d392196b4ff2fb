import { noSearches, type SearchAllowance } from '#domain/inference/search-allowance.ts'
import { countAt, isJsonObject, type JsonObject, type JsonValue, objectsIn, stringAt } from '#lib/json.ts'

/** Searches of a call whose client sets no bound: each is billed, and Claude would go on for as long as it likes. */
const usesUnasked = 5

/** What Claude reads of one search, as part of its prompt; Anthropic's own example has 6,000 tokens. */
const promptTokensPerSearch = 10_000

/** The tools, with a bound for every search of the web. All else travels as sent. */
export function boundSearchTools(tools: readonly JsonValue[]): JsonValue[] {
  return tools.map((tool) => (isJsonObject(tool) && isSearchTool(tool) ? { ...tool, max_uses: usesOf(tool) } : tool))
}

/** What Claude may look up for a call, whichever of the two fields names its tools. */
export function claudeSearchesIn({ tools, server_tools: serverTools }: JsonObject): SearchAllowance {
  const searches = [...objectsIn(tools), ...objectsIn(serverTools)].filter(isSearchTool)
  if (searches.length === 0) return noSearches
  const webSearches = searches.reduce((sum, tool) => sum + usesOf(tool), 0)
  return { webSearches, citationTokens: 0, promptTokens: webSearches * promptTokensPerSearch, isTold: true }
}

/** Its type has a date, as those of all tools that Anthropic runs; a client's own tool of that name has none. */
function isSearchTool(tool: JsonObject): boolean {
  return /^web_search_\d/.test(stringAt(tool, 'type') ?? '')
}

function usesOf(tool: JsonObject): number {
  return countAt(tool, 'max_uses') || usesUnasked
}
