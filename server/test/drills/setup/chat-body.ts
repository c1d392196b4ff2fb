import type { JsonObject } from '#lib/json.ts'

/** A typical request: a short question with a cap. */
export function chatBody(changes: JsonObject = {}): JsonObject {
  return {
    model: 'openai/gpt-5.2',
    messages: [{ role: 'user', content: 'one two three four five six seven eight' }],
    max_tokens: 256,
    ...changes,
  }
}
