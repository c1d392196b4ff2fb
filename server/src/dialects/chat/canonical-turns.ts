import type { Turn } from '#domain/inference/call.ts'
import type { FilePart, ImagePart, Part, TextPart, ToolResultPart } from '#domain/inference/parts.ts'
import { isJsonObject, type JsonObject, type JsonValue, stringAt } from '#lib/json.ts'
import { assistantParts } from './assistant-parts.ts'
import { cacheOf, contentParts, openAiOpaque } from './content-parts.ts'

interface Conversation {
  system: TextPart[]
  turns: Turn[]
}

/**
 * Leading instructions become the system prompt; later instructions keep their position. Consecutive tool results are
 * one turn.
 */
export function canonicalTurns(messages: readonly JsonValue[]): Conversation {
  const system: TextPart[] = []
  const turns: Turn[] = []
  let results: ToolResultPart[] = []
  for (const message of messages) {
    if (!isJsonObject(message)) continue
    if (message.role === 'tool') {
      if (results.length === 0) turns.push({ role: 'user', parts: results })
      results.push(toolResult(message))
      continue
    }
    results = []
    const turn = turnOf(message)
    if (turn.role === 'system' && turns.length === 0 && turn.parts.every(isText)) system.push(...turn.parts)
    else turns.push(turn)
  }
  return { system, turns }
}

function turnOf(message: JsonObject): Turn {
  if (message.role === 'assistant') return { role: 'assistant', parts: marked(assistantParts(message), message) }
  const isSystem = message.role === 'system' || message.role === 'developer'
  const parts = marked(contentParts(message.content), message)
  if (isSystem) return { role: 'system', parts }
  const name = stringAt(message, 'name')
  return { role: 'user', parts: name === undefined ? parts : [...parts, openAiOpaque({ name })] }
}

/** A cache marker on the message itself applies to its end. */
function marked(parts: Part[], message: JsonObject): Part[] {
  const { cache } = cacheOf(message)
  const last = parts.findLastIndex(({ kind }) => kind === 'text' || kind === 'image' || kind === 'file')
  const part = parts[last]
  if (cache === undefined || part === undefined || !isResultContent(part) || part.cache !== undefined) return parts
  return parts.with(last, { ...part, cache })
}

function toolResult(message: JsonObject): ToolResultPart {
  return {
    kind: 'tool-result',
    callId: stringAt(message, 'tool_call_id') ?? '',
    content: contentParts(message.content).filter(isResultContent),
    ...cacheOf(message),
  }
}

function isText(part: Part): part is TextPart {
  return part.kind === 'text'
}

function isResultContent(part: Part): part is TextPart | ImagePart | FilePart {
  return part.kind === 'text' || part.kind === 'image' || part.kind === 'file'
}
