import { serviceTierIn } from '#domain/inference/service-tier.ts'
import { isJsonObject, type JsonObject, type JsonValue, objectAt } from '#lib/json.ts'
import type { FeatureRule, FeatureTable, FieldRule } from '#providers/features/feature-table.ts'
import type { OpenAiVendor } from '#providers/spec.ts'

/** Fields that enable web search at some provider, at a cost that no hold covers. */
const searchFields = [
  'enable_enhancement',
  'enable_search',
  'forced_search',
  'search_options',
  // xAI rejects it with 410 since it turned searches into tools.
  'search_parameters',
  'web_search',
]

/** Fields that make an upstream respond more than once, run code, call servers or act for another account. */
const foreignFields = [
  'api_base',
  'api_key',
  'base_url',
  'best_of',
  'connectors',
  'container',
  'conversation',
  'fallbacks',
  'mcp_servers',
  'retrieval',
]

const fields = new Map<string, FieldRule>([
  ...[...searchFields, ...foreignFields].map((field) => [field, 'remove'] as const),
  ['service_tier', (value) => (serviceTierIn(value) === 'priority' ? 'priority' : 'pass')],
  ['venice_parameters', (value) => withoutSearch(value)],
])

/** Clients run functions and custom tools. The provider runs and bills all other tools. */
const toolTypes: FeatureTable['toolTypes'] = [[/^(?:|function|custom)$/, 'pass']]

const anyHost: FeatureTable = {
  fields: new Map([...fields, ['web_search_options', 'remove']]),
  // Providers have too many extra fields to list, and sampling options cost nothing.
  otherFields: 'pass',
  toolTypes,
  refusedPart,
}

/** Providers that report the number of searches, so that a hold can cover them. */
const searchingHost: FeatureTable = {
  ...anyHost,
  fields: new Map([...fields, ['web_search_options', 'webSearch']]),
  toolTypes: [...toolTypes, [/^openrouter:web_search$/, 'webSearch']],
}

/** Chat completion features of this provider that can cost more than the tokens in the usage. */
export function chatFeaturesOf({ openai }: OpenAiVendor): FeatureTable {
  return openai.searchesIn === undefined ? anyHost : searchingHost
}

function withoutSearch(value: JsonValue): FeatureRule | { instead: JsonValue } {
  if (!isJsonObject(value)) return 'pass'
  const { enable_web_search: search, enable_web_scraping: scraping, ...rest } = value
  return search === undefined && scraping === undefined ? 'pass' : { instead: rest }
}

function refusedPart(part: JsonObject): string | undefined {
  if (typeof objectAt(part, 'file').file_id === 'string') {
    return "`file_id` is not supported: it names a file in the operator's account. Send the file as `file_data`."
  }
  if (part.role === 'assistant' && typeof objectAt(part, 'audio').id === 'string') {
    return "`audio.id` is not supported: it names a recording in the operator's account. Send its transcript as `content`."
  }
  return undefined
}
