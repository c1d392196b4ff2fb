import type { Part, ReasoningPart, ToolCallPart } from '#domain/inference/parts.ts'
import { isJsonObject, type JsonObject, objectAt, stringAt } from '#lib/json.ts'
import { contentParts, openAiOpaque } from './content-parts.ts'
import { type PlacedThought, placedThoughts } from './reasoning-details.ts'

/**
 * The reasoning, text and tool calls of an assistant message. Reasoning keeps its position if the client returned it;
 * all other reasoning comes first, together with members that have no position.
 */
export function assistantParts(message: JsonObject): Part[] {
  const thoughts = thoughtsIn(message)
  const reasoning = thoughts.map(({ part }) => part)
  const functions = Array.isArray(message.tool_calls) ? message.tool_calls.filter(isFunctionCall) : []
  const signatures = signaturesIn(reasoning)
  const calls = functions.map((call) => toolCall(call, signatures))
  const signed = new Set(calls.map(({ id }) => id))
  const refusal = stringAt(message, 'refusal')
  const images = Array.isArray(message.images) ? contentParts(message.images) : []
  return [
    ...woven(
      thoughts.filter(({ part }) => !(isCallSignature(part) && signed.has(part.id ?? ''))),
      contentParts(message.content),
    ),
    ...(refusal === undefined || refusal === '' ? [] : [{ kind: 'refusal', text: refusal } as const]),
    ...images,
    ...calls,
    ...otherMembers(message),
  ]
}

function thoughtsIn(message: JsonObject): PlacedThought[] {
  const details = Array.isArray(message.reasoning_details) ? placedThoughts(message.reasoning_details) : []
  if (details.length > 0) return details
  const text = stringAt(message, 'reasoning') || stringAt(message, 'reasoning_content') || ''
  return text === '' ? [] : [{ part: { kind: 'reasoning', text, format: 'unknown' }, offset: 0 }]
}

/**
 * Puts reasoning between the pieces of the text, or first if an offset beyond the end shows that the client changed the
 * text.
 */
function woven(thoughts: readonly PlacedThought[], content: readonly Part[]): Part[] {
  const [text, ...others] = content
  const furthest = thoughts.reduce((most, { offset }) => Math.max(most, offset), 0)
  if (furthest === 0 || text?.kind !== 'text' || others.length > 0 || furthest > text.text.length) {
    return [...thoughts.map(({ part }) => part), ...content]
  }
  const parts: Part[] = []
  let said = 0
  for (const { part, offset } of thoughts) {
    if (offset > said) parts.push({ ...text, text: text.text.slice(said, offset) })
    said = Math.max(said, offset)
    parts.push(part)
  }
  return said === text.text.length ? parts : [...parts, { ...text, text: text.text.slice(said) }]
}

function isFunctionCall(call: unknown): call is JsonObject {
  return isJsonObject(call) && isJsonObject(call.function)
}

/**
 * A signature over the reasoning that led to a tool call is sent under the call's id, for clients that keep details
 * only.
 */
function isCallSignature(part: ReasoningPart): boolean {
  return part.format === 'google' && part.encrypted !== undefined && part.id !== undefined
}

function signaturesIn(parts: readonly ReasoningPart[]): ReadonlyMap<string, string> {
  const signatures = new Map<string, string>()
  for (const part of parts) {
    if (isCallSignature(part) && part.id !== undefined && part.encrypted !== undefined) {
      signatures.set(part.id, part.encrypted)
    }
  }
  return signatures
}

function toolCall(call: JsonObject, signatures: ReadonlyMap<string, string>): ToolCallPart {
  const called = objectAt(call, 'function')
  const id = stringAt(call, 'id') ?? ''
  const google = objectAt(objectAt(call, 'extra_content'), 'google')
  const signature = stringAt(google, 'thought_signature') ?? signatures.get(id)
  const written = called.arguments
  return {
    kind: 'tool-call',
    id,
    name: stringAt(called, 'name') ?? '',
    argumentsJson: typeof written === 'string' || written === undefined ? (written ?? '') : JSON.stringify(written),
    ...(signature === undefined ? {} : { signature }),
  }
}

const placed = new Set([
  'role',
  'content',
  'refusal',
  'images',
  'reasoning',
  'reasoning_content',
  'reasoning_details',
  'cache_control',
  'tool_calls',
  '__proto__',
])

function otherMembers(message: JsonObject): Part[] {
  const calls = Array.isArray(message.tool_calls) ? message.tool_calls.filter((call) => !isFunctionCall(call)) : []
  const members: JsonObject = calls.length === 0 ? {} : { tool_calls: calls }
  for (const [name, value] of Object.entries(message)) {
    if (!placed.has(name) && value !== null) members[name] = value
  }
  return Object.keys(members).length === 0 ? [] : [openAiOpaque(members)]
}
