import { chatBodyFromResponses } from '#dialects/responses/chat-body.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '#lib/json.ts'

/**
 * Converts a body to a plain chat request. Some editors send Responses input to this endpoint: its conversation, its
 * fields, its flat tools. A body without any of these is returned unchanged.
 */
export function plainChatBody(body: JsonObject): JsonObject {
  const isForeign = !isSaid(body.messages) && isSaid(body.input)
  return withPlainChoice(withWrappedTools(withoutForeignFields(isForeign ? chatBodyFromResponses(body) : body)))
}

/** Only the Responses endpoint has these fields; a chat upstream would reject them. */
const foreignFields = ['previous_response_id', 'truncation', 'store', 'max_output_tokens'] as const

function withoutForeignFields(body: JsonObject): JsonObject {
  // A string value means the background of an image.
  const isInBackground = typeof body.background === 'boolean'
  if (!isInBackground && !foreignFields.some((name) => Object.hasOwn(body, name))) return body
  const plain = { ...body }
  const cap = body.max_output_tokens
  if (isSaid(cap) && !isSaid(body.max_tokens) && !isSaid(body.max_completion_tokens)) plain.max_tokens = cap
  for (const name of foreignFields) delete plain[name]
  if (isInBackground) delete plain.background
  return plain
}

function isSaid(value: JsonValue | undefined): boolean {
  return value !== undefined && value !== null
}

function withWrappedTools(body: JsonObject): JsonObject {
  const { tools } = body
  return Array.isArray(tools) && tools.some(isFlatTool) ? { ...body, tools: tools.map(wrapTool) } : body
}

function isFlatTool(tool: JsonValue): tool is JsonObject {
  return isJsonObject(tool) && tool.type === 'function' && tool.function === undefined && tool.name !== undefined
}

function wrapTool(tool: JsonValue): JsonValue {
  if (!isFlatTool(tool)) return tool
  const { type, cache_control: cacheControl, ...definition } = tool
  return { type, function: definition, ...(cacheControl === undefined ? {} : { cache_control: cacheControl }) }
}

function withPlainChoice(body: JsonObject): JsonObject {
  const choice = body.tool_choice
  if (!isJsonObject(choice)) return body
  if (choice.type === 'auto' || choice.type === 'none' || choice.type === 'required') {
    return { ...body, tool_choice: choice.type }
  }
  const isFlat = choice.type === 'function' && typeof choice.name === 'string' && choice.function === undefined
  return isFlat ? { ...body, tool_choice: { type: 'function', function: { name: choice.name } } } : body
}
