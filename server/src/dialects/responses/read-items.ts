import type { Turn } from '#domain/inference/call.ts'
import type { Part, TextPart, ToolCallPart } from '#domain/inference/parts.ts'
import { isJsonObject, type JsonObject, type JsonValue, stringAt } from '#lib/json.ts'
import { readBlocks, readToolOutput } from './read-blocks.ts'
import { flatNameOf } from './read-tools.ts'
import { readReasoningItem } from './sealed-reasoning.ts'
import { readCallId } from './signed-call-id.ts'

interface Conversation {
  readonly system: readonly TextPart[]
  readonly turns: readonly Turn[]
}

/**
 * The conversation of the instructions and input items. Consecutive output of the model (reasoning, text, calls) is one
 * turn, and so are consecutive results; everything keeps its order.
 */
export function readItems(instructions: JsonValue | undefined, input: JsonValue | undefined): Conversation {
  const system: TextPart[] = []
  if (typeof instructions === 'string' && instructions !== '') system.push({ kind: 'text', text: instructions })
  if (!Array.isArray(input)) return { system, turns: [{ role: 'user', parts: readBlocks(input) }] }
  const turns: OpenTurn[] = []
  for (const item of input) {
    if (!isJsonObject(item)) continue
    const said = readItem(item)
    if (said === null || said.parts.length === 0) continue
    const last = turns.at(-1)
    if (said.role === 'system' && last === undefined) system.push(...said.parts.filter(isText))
    else if (last !== undefined && last.role === said.role && last.joins && said.joins) last.parts.push(...said.parts)
    else turns.push(said)
  }
  return { system, turns: turns.map(({ role, parts }) => ({ role, parts })) }
}

interface OpenTurn {
  readonly role: Turn['role']
  readonly parts: Part[]
  /** Whether a neighbor of the same role belongs to the same turn. */
  readonly joins: boolean
}

function readItem(item: JsonObject): OpenTurn | null {
  switch (item.type ?? 'message') {
    case 'message':
      return readMessage(item)
    case 'reasoning': {
      const part = readReasoningItem(item)
      return part === null ? null : fromModel(part)
    }
    case 'function_call':
      return fromModel(readCall(item, argumentsOf(item.arguments)))
    case 'custom_tool_call':
      return fromModel(readCall(item, JSON.stringify({ input: item.input ?? '' })))
    case 'function_call_output':
    case 'custom_tool_call_output': {
      const { id } = readCallId(stringAt(item, 'call_id') ?? '')
      const content = readToolOutput(item.output)
      return { role: 'user', parts: [{ kind: 'tool-result', callId: id, content }], joins: true }
    }
    case 'image_generation_call': {
      const result = stringAt(item, 'result')
      if (result === undefined) return null
      if (/^https?:/i.test(result)) return fromModel({ kind: 'image', source: { kind: 'url', url: result } })
      const mediaType = `image/${stringAt(item, 'output_format') ?? 'png'}`
      return fromModel({ kind: 'image', source: { kind: 'data', mediaType, base64: result } })
    }
    // Calls of hosted tools and unknown items cannot be translated for upstreams of other protocols.
    default:
      return null
  }
}

function readMessage(item: JsonObject): OpenTurn {
  const parts = readBlocks(item.content)
  if (item.role === 'assistant') return { role: 'assistant', parts, joins: true }
  const role = item.role === 'system' || item.role === 'developer' ? 'system' : 'user'
  return { role, parts, joins: false }
}

function readCall(item: JsonObject, argumentsJson: string): ToolCallPart {
  return {
    kind: 'tool-call',
    ...readCallId(stringAt(item, 'call_id') ?? ''),
    name: flatNameOf(item) ?? '',
    argumentsJson,
  }
}

// The arguments as the model wrote them; a few clients parse them before they return them.
function argumentsOf(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function fromModel(part: Part): OpenTurn {
  return { role: 'assistant', parts: [part], joins: true }
}

function isText(part: Part): part is TextPart {
  return part.kind === 'text'
}
