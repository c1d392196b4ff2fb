import { serviceTierIn } from '#domain/inference/service-tier.ts'
import { isJsonObject, type JsonObject, type JsonValue, objectAt, stringAt } from '#lib/json.ts'
import type { FeatureRule, FeatureTable, FieldRule, PricedFeatures } from '#providers/features/feature-table.ts'

/** The Messages fields in Anthropic's SDK 1.9 that cost nothing besides tokens. */
const plainFields = [
  'cache_control',
  'diagnostics',
  'max_tokens',
  'messages',
  'metadata',
  'model',
  'output_config',
  'output_format',
  'service_tier',
  'stop_sequences',
  'stream',
  'system',
  'temperature',
  'thinking',
  'tool_choice',
  'tools',
  'top_k',
  'top_p',
]

/** Tools that the client runs, in any dated version. */
const clientRun = /^(?:|custom|(?:bash|browser_toolset|computer|computer_toolset|memory|text_editor)_20\d{6})$/

/** Every feature of Messages, with a rule for those that can cost more than the tokens in the top-level usage. */
export const messagesFeatures: FeatureTable = {
  fields: new Map<string, FieldRule>([
    ...plainFields.map((field) => [field, 'pass'] as const),
    ['speed', (value) => (serviceTierIn(value) === 'priority' ? 'priority' : 'pass')],
    ['inference_geo', (value) => (value === usualPlace ? 'pass' : elsewhere)],
    ['context_management', (value) => withoutUnpricedEdits(value)],
    [
      'compaction',
      {
        refuse:
          'is not supported: Anthropic bills for compaction outside of the usage that it reports for the message.',
      },
    ],
    ['thread', { refuse: "is not supported: the provider would store the conversation in the operator's account." }],
    // These fields run code, call servers or answer with other models, at separate prices.
    ['container', 'remove'],
    ['mcp_servers', 'remove'],
    ['fallbacks', 'remove'],
    ['fallback_credit_token', 'remove'],
    // These fields refer to objects in the operator's account.
    ['user_profile_id', 'remove'],
    ['workspace_id', 'remove'],
  ]),
  // Anthropic rejects unknown fields, and a field that it added later may cost anything.
  otherFields: 'remove',
  toolTypes: [
    [clientRun, 'pass'],
    [/^web_search_20\d{6}$/, 'webSearch'],
    [/^web_fetch_20\d{6}$/, 'pass'],
    [/^tool_search_tool_(?:bm25|regex)_20\d{6}$/, 'pass'],
    // Another model answers, at its own price.
    [/^advisor_/, 'remove'],
    // Anthropic bills for the container by the hour.
    [/^code_execution_/, 'remove'],
    [/^mcp_toolset$/, 'remove'],
  ],
  refusedPart,
}

const usualPlace = 'global'
const elsewhere: FeatureRule = {
  refuse: `must be "${usualPlace}": other regions cost more, and this gateway has no price for them.`,
}

/** Compaction runs the model again, and no hold can cover its unbounded tokens. */
function withoutUnpricedEdits(value: JsonValue): FeatureRule | { instead: JsonValue } {
  if (!isJsonObject(value) || !Array.isArray(value.edits)) return 'pass'
  const edits = value.edits.filter((edit) => isJsonObject(edit) && freeEdits.test(stringAt(edit, 'type') ?? ''))
  return edits.length === value.edits.length ? 'pass' : { instead: { ...value, edits } }
}

const freeEdits = /^clear_(?:tool_uses|thinking)_20\d{6}$/

function refusedPart(part: JsonObject): string | undefined {
  if (part.type === 'container_upload')
    return '`container_upload` is not supported: this gateway has no price for containers.'
  if (objectAt(part, 'source').type === 'file') {
    return "`file_id` is not supported: it names a file in the operator's account. Send the file inline."
  }
  const tool = objectAt(part, 'tool')
  const definition = objectAt(tool, 'definition')
  const isInline = part.type === 'tool_addition' && tool.type === 'tool_definition'
  if (!isInline || clientRun.test(stringAt(definition, 'type') ?? '')) return undefined
  return '`tool_addition` can only define tools that the client runs. Define others in `tools`.'
}

/**
 * Removes the betas of features that the gateway never passes. Other betas do nothing without their fields, blocks and
 * tools.
 */
export function applyBetas(
  betas: readonly string[],
  prices: PricedFeatures | undefined,
): { betas: readonly string[]; left: string[] } {
  if (prices === undefined) return { betas, left: [] }
  const kept = betas.filter((beta) => !unpricedBetas.test(beta))
  return { betas: kept, left: kept.length === betas.length ? [] : ['anthropic-beta'] }
}

const unpricedBetas = new RegExp(
  `^(?:${[
    'advisor-tool',
    'agent-memory',
    'code-execution',
    'compact',
    'dreaming',
    'fallback-credit',
    'files-api',
    'managed-agents',
    'mcp-client',
    'mcp-tunnels',
    'message-threads',
    'server-side-fallback',
    'skills',
    'user-profiles',
  ].join('|')})-20\\d{2}-`,
)
