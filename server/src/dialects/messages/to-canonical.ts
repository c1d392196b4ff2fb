import type {
  CanonicalCall,
  ReasoningWish,
  ResponseFormat,
  Sampling,
  Tool,
  ToolChoice,
  Turn,
} from '#domain/inference/call.ts'
import type { TextPart } from '#domain/inference/parts.ts'
import { isJsonObject, type JsonObject, type JsonValue, objectAt, objectsIn, stringAt } from '#lib/json.ts'
import type { DialectCall } from '../dialect.ts'
import { partsOf, textPart } from './block-to-parts.ts'
import { isCustomTool } from './check-tools.ts'

/** Converts a parsed Messages request to canonical form. */
export function toCanonical({ body, stream, maxTokens }: DialectCall): CanonicalCall {
  const tools = objectsIn(body.tools)
  const choice = objectAt(body, 'tool_choice')
  return {
    system: systemOf(body.system),
    turns: objectsIn(body.messages).map(turnOf),
    tools: tools.filter(isCustomTool).map(toolOf),
    toolChoice: toolChoiceOf(choice),
    parallelToolCalls: typeof choice.disable_parallel_tool_use === 'boolean' ? !choice.disable_parallel_tool_use : null,
    maxTokens,
    choiceCount: 1,
    sampling: samplingOf(body),
    reasoning: reasoningOf(body),
    responseFormat: responseFormatOf(body),
    stream,
    endUser: stringAt(objectAt(body, 'metadata'), 'user_id') ?? null,
    extras: extrasOf(body, tools),
  }
}

function systemOf(system: JsonValue | undefined): TextPart[] {
  if (typeof system === 'string') return system === '' ? [] : [{ kind: 'text', text: system }]
  return objectsIn(system)
    .filter((block) => typeof block.text === 'string' && block.text !== '')
    .map(textPart)
}

function turnOf({ role, content }: JsonObject): Turn {
  return { role: role === 'assistant' || role === 'system' ? role : 'user', parts: partsOf(content) }
}

function toolOf(tool: JsonObject): Tool {
  const description = stringAt(tool, 'description')
  return {
    name: stringAt(tool, 'name') ?? '',
    ...(description === undefined ? {} : { description }),
    parameters: objectAt(tool, 'input_schema'),
    ...(typeof tool.strict === 'boolean' ? { strict: tool.strict } : {}),
    ...(isJsonObject(tool.cache_control) ? { cache: tool.cache_control } : {}),
  }
}

function toolChoiceOf(choice: JsonObject): ToolChoice | null {
  switch (choice.type) {
    case 'auto':
    case 'none':
      return { kind: choice.type }
    case 'any':
      return { kind: 'required' }
    case 'tool':
      return typeof choice.name === 'string' ? { kind: 'tool', name: choice.name } : null
    default:
      return null
  }
}

function samplingOf(body: JsonObject): Sampling {
  const { temperature, top_p: topP, top_k: topK, stop_sequences: stops } = body
  const stop = Array.isArray(stops) ? stops.filter((item) => typeof item === 'string') : []
  return {
    ...(typeof temperature === 'number' ? { temperature } : {}),
    ...(typeof topP === 'number' ? { topP } : {}),
    ...(typeof topK === 'number' ? { topK } : {}),
    ...(stop.length > 0 ? { stop } : {}),
  }
}

function reasoningOf(body: JsonObject): ReasoningWish | null {
  const thinking = objectAt(body, 'thinking')
  const effort = stringAt(objectAt(body, 'output_config'), 'effort')
  const budgetTokens = thinking.budget_tokens
  const wish: ReasoningWish = {
    ...(typeof thinking.type === 'string' ? { enabled: thinking.type !== 'disabled' } : {}),
    ...(effort === undefined ? {} : { effort }),
    ...(typeof budgetTokens === 'number' ? { budgetTokens } : {}),
    ...(thinking.display === 'omitted' ? { exclude: true } : {}),
  }
  return Object.keys(wish).length === 0 ? null : wish
}

// The format was a separate field before it became part of `output_config`.
function responseFormatOf(body: JsonObject): ResponseFormat | null {
  const settings = objectAt(body, 'output_config')
  const format = isJsonObject(settings.format) ? settings.format : objectAt(body, 'output_format')
  if (format.type !== 'json_schema' || !isJsonObject(format.schema)) return null
  return { kind: 'schema', name: stringAt(format, 'name') ?? 'output', schema: format.schema, strict: true }
}

const placedFields = new Set([
  'model',
  'max_tokens',
  'messages',
  'system',
  'stream',
  'temperature',
  'top_p',
  'top_k',
  'stop_sequences',
  'tools',
  'tool_choice',
  'thinking',
  'output_config',
  'output_format',
  'metadata',
])

// Tools that the upstream runs have no canonical form; only they stay in the field.
function extrasOf(body: JsonObject, tools: readonly JsonObject[]): JsonObject {
  const serverTools = tools.filter((tool) => !isCustomTool(tool))
  const others = Object.entries(body).filter(([name]) => !placedFields.has(name))
  return { ...Object.fromEntries(others), ...(serverTools.length > 0 ? { tools: serverTools } : {}) }
}
