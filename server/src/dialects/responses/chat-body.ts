import type { ResponseFormat } from '#domain/inference/call.ts'
import { isJsonObject, type JsonObject, type JsonValue, objectAt, stringAt } from '#lib/json.ts'
import { chatMessages } from './chat-messages.ts'
import { checkInput } from './check-input.ts'
import { readItems } from './read-items.ts'
import { functionOf } from './client-tools.ts'
import { readResponseFormat } from './to-canonical.ts'

/**
 * Converts a body with `input` instead of messages to a chat body, because some editors send one to the chat paths.
 * Fields that mean the same in both stay unchanged; those that only Responses has are dropped.
 */
export function chatBodyFromResponses(body: JsonObject): JsonObject {
  checkInput(body.input)
  const { system, turns } = readItems(body.instructions, body.input)
  const chat: JsonObject = {}
  for (const [name, value] of Object.entries(body)) if (!responsesOnly.has(name)) chat[name] = value
  chat.messages = chatMessages(system, turns)
  if (body.max_output_tokens !== undefined) chat.max_tokens ??= body.max_output_tokens
  if (Array.isArray(body.tools)) chat.tools = chatTools(body.tools)
  if (Array.isArray(chat.tools) && chat.tools.length === 0) {
    // Without functions there is nothing to choose, and upstreams reject an empty list.
    delete chat.tools
    delete chat.tool_choice
    delete chat.parallel_tool_calls
  } else if (isJsonObject(body.tool_choice)) {
    chat.tool_choice = chatToolChoice(body.tool_choice)
  }
  const format = readResponseFormat(body)
  if (format !== null) chat.response_format = chatResponseFormat(format)
  const verbosity = objectAt(body, 'text').verbosity
  if (verbosity !== undefined && verbosity !== null) chat.verbosity ??= verbosity
  return chat
}

const responsesOnly = new Set([
  'input',
  'instructions',
  'max_output_tokens',
  'text',
  'previous_response_id',
  'truncation',
  'background',
  'store',
  'include',
  'client_metadata',
  'conversation',
  'prompt',
  'max_tool_calls',
  '__proto__',
])

function chatTools(tools: readonly JsonValue[]): JsonObject[] {
  const wrapped: JsonObject[] = []
  for (const tool of tools) {
    const definition = functionOf(tool)
    if (definition === null) continue
    const { type: _, cache_control: cache, ...rest } = definition
    if (rest.parameters === null) delete rest.parameters
    if (rest.strict === null) delete rest.strict
    wrapped.push({ type: 'function', function: rest, ...(cache === undefined ? {} : { cache_control: cache }) })
  }
  return wrapped
}

function chatToolChoice(choice: JsonObject): JsonValue {
  const word = choice.type === 'allowed_tools' ? choice.mode : choice.type
  if (word === 'auto' || word === 'none' || word === 'required') return word
  const name = stringAt(isJsonObject(choice.function) ? choice.function : choice, 'name')
  if (choice.type === 'function' && name !== undefined) return { type: 'function', function: { name } }
  return 'auto'
}

function chatResponseFormat(format: ResponseFormat): JsonObject {
  if (format.kind === 'json') return { type: 'json_object' }
  const { kind: _, ...definition } = format
  return { type: 'json_schema', json_schema: definition }
}
