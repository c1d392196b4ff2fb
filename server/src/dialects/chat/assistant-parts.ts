import type { Part, ReasoningPart, ToolCallPart } from '#domain/inference/parts.ts'
import { isJsonObject, type JsonObject, objectAt, stringAt } from '#lib/json.ts'
import { contentParts, openAiOpaque } from './content-parts.ts'
import { reasoningPartsOf } from './reasoning-details.ts'

/** What the assistant thought, said and called, in that order. Members without a place travel with them. */
export function assistantParts(message: JsonObject): Part[] {
  const reasoning = reasoningOf(message)
  const functions = Array.isArray(message.tool_calls) ? message.tool_calls.filter(isFunctionCall) : []
  const signatures = signaturesIn(reasoning)
  const calls = functions.map((call) => toolCall(call, signatures))
  const signed = new Set(calls.map(({ id }) => id))
  const refusal = stringAt(message, 'refusal')
  const images = Array.isArray(message.images) ? contentParts(message.images) : []
  return [
    ...reasoning.filter((part) => !(isCallSignature(part) && signed.has(part.id ?? ''))),
    ...contentParts(message.content),
    ...(refusal === undefined || refusal === '' ? [] : [{ kind: 'refusal', text: refusal } as const]),
    ...images,
    ...calls,
    ...otherMembers(message),
  ]
}

function reasoningOf(message: JsonObject): ReasoningPart[] {
  const details = Array.isArray(message.reasoning_details) ? reasoningPartsOf(message.reasoning_details) : []
  if (details.length > 0) return details
  const text = stringAt(message, 'reasoning') || stringAt(message, 'reasoning_content') || ''
  return text === '' ? [] : [{ kind: 'reasoning', text, format: 'unknown' }]
}

function isFunctionCall(call: unknown): call is JsonObject {
  return isJsonObject(call) && isJsonObject(call.function)
}

/** A signature over the thought that led to a call travels under the call's id, for clients that keep details only. */
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
