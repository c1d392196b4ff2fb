import { isJsonObject, type JsonObject, type JsonValue } from '#lib/json.ts'
import { type SplitText, splitThinking, type ThinkTags } from './think-tags.ts'

/**
 * Normalizes text and thinking of a delta or a message: `content` is a string or null, `reasoning` is a string that is
 * present only if there is some, and its details.
 */
export function tidyReasoning(said: JsonObject, tags: ThinkTags | undefined, isLast: boolean): void {
  let reasoning = textOf(said.reasoning) || textOf(said.reasoning_content)
  if (Array.isArray(said.content)) {
    const split = splitParts(said.content)
    said.content = split.content
    reasoning ||= split.reasoning
  }
  if (tags !== undefined && (typeof said.content === 'string' || (isLast && tags.held !== ''))) {
    const split = splitThinking(tags, textOf(said.content), isLast)
    said.content = split.content
    reasoning ||= split.reasoning
  }
  delete said.reasoning_content
  if (reasoning === '') {
    delete said.reasoning
    return
  }
  said.reasoning = reasoning
  if (!Array.isArray(said.reasoning_details) || said.reasoning_details.length === 0) {
    said.reasoning_details = [{ type: 'reasoning.text', text: reasoning, index: 0, format: 'unknown' }]
  }
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : ''
}

function splitParts(parts: readonly JsonValue[]): SplitText {
  let content = ''
  let reasoning = ''
  for (const part of parts) {
    if (!isJsonObject(part)) continue
    if (part.type !== 'thinking') content += textOf(part.text)
    else if (Array.isArray(part.thinking)) reasoning += splitParts(part.thinking).content
    else reasoning += textOf(part.thinking)
  }
  return { content, reasoning }
}
