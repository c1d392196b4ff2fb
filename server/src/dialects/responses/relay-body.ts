import type { ReasoningFormat } from '#domain/inference/parts.ts'
import { isJsonObject, type JsonObject, objectAt } from '#lib/json.ts'
import { relayItem } from './relay-item.ts'
import { relayTools } from './relay-tools.ts'

/**
 * The body for an upstream that speaks Responses: as sent, but in the plain form of the dialect, without the data that
 * other upstreams gave the client, and without fields that need stored state. Stored prompts, files and conversations
 * would be the operator's.
 */
export function relayBody(body: JsonObject, thoughts: ReasoningFormat): JsonObject {
  const relayed: JsonObject = {}
  for (const [field, value] of Object.entries(body)) if (!left.has(field)) relayed[field] = value
  if (Array.isArray(body.input)) relayed.input = body.input.flatMap((item) => relayItem(item, thoughts))
  return { ...relayed, ...relayTools(body, thoughts === 'openai' ? 'openai' : 'responses'), ...relayText(body) }
}

/** Fields that are written again below, or that only apply if responses are stored. */
const left = new Set([
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'text',
  'response_format',
  'previous_response_id',
  'store',
  'background',
  'conversation',
  'prompt',
  'client_metadata',
  '__proto__',
])

/** The response format may also be given as in chat. */
function relayText(body: JsonObject): JsonObject {
  const text = objectAt(body, 'text')
  const { response_format: format } = body
  if (text.format === undefined && isJsonObject(format)) {
    const { json_schema: definition, ...rest } = format
    return { text: { ...text, format: isJsonObject(definition) ? { ...rest, ...definition } : format } }
  }
  return Object.keys(text).length === 0 ? {} : { text }
}
