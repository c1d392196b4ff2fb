import type { JsonObject } from '../json-value.ts'
import type { ChoiceParts } from '../scenarios/answer.ts'
import { wholeCall } from './openai.ts'

/** Thinking left in the content, between tags. */
export function thinkTagDeltas(pieces: readonly string[]): JsonObject[] {
  return pieces.map((piece, position) => ({
    content: `${position === 0 ? '<think>' : ''}${piece}${position === pieces.length - 1 ? '</think>' : ''}`,
  }))
}

export function thinkTagMessage({ text, refusal, thinking, calls }: ChoiceParts): JsonObject {
  const thought = thinking.length === 0 ? '' : `<think>${thinking.join('')}</think>`
  const message: JsonObject = { role: 'assistant', content: thought + [...text, ...refusal].join('') }
  if (calls.length > 0) message.tool_calls = calls.map(wholeCall)
  return message
}
