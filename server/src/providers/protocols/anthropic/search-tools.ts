import { noSearches, type SearchAllowance } from '#domain/inference/search-allowance.ts'
import { countAt, isJsonObject, type JsonObject, type JsonValue, objectsIn, stringAt } from '#lib/json.ts'

/** Searches or fetches of a request without a client limit: Claude could continue indefinitely. */
const usesUnasked = 5

/** Prompt tokens of one search result. Anthropic's own example has 6,000 tokens. */
const promptTokensPerSearch = 10_000

/**
 * Prompt tokens of one page without a client limit. Anthropic counts 2,500 tokens for a usual page and 25,000 for a
 * long one.
 */
const promptTokensPerPage = 25_000

/** The tools, with a limit for every web search and every fetched page. Everything else is sent unchanged. */
export function boundSearchTools(tools: readonly JsonValue[]): JsonValue[] {
  return tools.map((tool) => {
    if (!isJsonObject(tool)) return tool
    if (isSearchTool(tool)) return { ...tool, max_uses: usesOf(tool) }
    return isFetchTool(tool) ? { ...tool, max_uses: usesOf(tool), max_content_tokens: pageTokensOf(tool) } : tool
  })
}

/**
 * What Claude may look up for a request, whichever of the two fields names its tools. A fetched page costs its tokens
 * and no fee.
 */
export function claudeSearchesIn({ tools, server_tools: serverTools }: JsonObject): SearchAllowance {
  const all = [...objectsIn(tools), ...objectsIn(serverTools)]
  const searches = all.filter(isSearchTool)
  const fetches = all.filter(isFetchTool)
  if (searches.length === 0 && fetches.length === 0) return noSearches
  const webSearches = searches.reduce((sum, tool) => sum + usesOf(tool), 0)
  const pages = fetches.reduce((sum, tool) => sum + usesOf(tool), 0)
  const pageTokens = fetches.reduce((sum, tool) => sum + usesOf(tool) * pageTokensOf(tool), 0)
  return {
    webSearches,
    citationTokens: 0,
    promptTokens: webSearches * promptTokensPerSearch + pageTokens,
    // Each result starts another turn, in which Claude reads the prompt and all results again.
    turns: webSearches + pages + 1,
    isTold: true,
  }
}

/** The tool's type has a date, like all tools that Anthropic runs. A client's own tool of that name has none. */
function isSearchTool(tool: JsonObject): boolean {
  return /^web_search_\d/.test(stringAt(tool, 'type') ?? '')
}

function isFetchTool(tool: JsonObject): boolean {
  return /^web_fetch_\d/.test(stringAt(tool, 'type') ?? '')
}

function usesOf(tool: JsonObject): number {
  return countAt(tool, 'max_uses') || usesUnasked
}

function pageTokensOf(tool: JsonObject): number {
  return countAt(tool, 'max_content_tokens') || promptTokensPerPage
}
