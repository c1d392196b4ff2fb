import type { Turn } from '#domain/inference/call.ts'
import type { Part, ReasoningFormat, ToolResultPart } from '#domain/inference/parts.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '#lib/json.ts'
import { writeBlocks } from './write-blocks.ts'
import { joinThoughts, writeThought } from './write-thoughts.ts'

/** The conversation as input items. `thoughts` is the format that this upstream can read. */
export function writeInput(turns: readonly Turn[], thoughts: ReasoningFormat, ignored: Set<string>): JsonObject[] {
  return turns.flatMap(({ role, parts }) =>
    role === 'assistant' ? writeSaid(parts, thoughts, ignored) : writeTold(role, parts, ignored),
  )
}

/** Results come first, because they must follow their calls. */
function writeTold(role: 'user' | 'system', parts: readonly Part[], ignored: Set<string>): JsonObject[] {
  const results = parts.filter((part) => part.kind === 'tool-result')
  const told = parts.filter((part) => part.kind !== 'tool-result')
  const items = results.map((result) => writeResult(result, ignored))
  const content = contentOf(told, ignored)
  return content === null ? items : [...items, { role, content }]
}

function writeResult({ callId, content }: ToolResultPart, ignored: Set<string>): JsonObject {
  return { type: 'function_call_output', call_id: callId, output: contentOf(content, ignored) ?? '' }
}

/** A string if the content is a single text, or null if there is no content. */
function contentOf(parts: readonly Part[], ignored: Set<string>): JsonValue {
  const blocks = writeBlocks(parts, ignored)
  const [first, second] = blocks
  if (first === undefined) return null
  return second === undefined && first.type === 'input_text' ? (first.text ?? '') : blocks
}

/** The model's output, in order: thoughts, messages and calls are separate items. */
function writeSaid(parts: readonly Part[], thoughts: ReasoningFormat, ignored: Set<string>): JsonObject[] {
  const items: JsonObject[] = []
  for (const part of joinThoughts(parts)) {
    switch (part.kind) {
      case 'text':
        if (part.text !== '') items.push({ role: 'assistant', content: part.text })
        break
      case 'refusal':
        items.push({ type: 'message', role: 'assistant', content: [{ type: 'refusal', refusal: part.text }] })
        break
      case 'tool-call':
        items.push({
          type: 'function_call',
          call_id: part.id,
          name: part.name,
          arguments: part.argumentsJson === '' ? '{}' : part.argumentsJson,
        })
        break
      case 'reasoning':
        items.push(...writeThought(part, thoughts))
        break
      case 'opaque':
        if (part.protocol === 'responses' && isJsonObject(part.value)) items.push(part.value)
        break
      case 'image':
      case 'file':
      case 'audio':
      case 'video':
        ignored.add(part.kind)
        break
      // An assistant does not send these.
      case 'tool-result':
        break
    }
  }
  return items
}
