import type { JsonObject } from '#lib/json.ts'

/**
 * Fields of an answer that never reach a client as they came: who served it, padding, and usage, which the gateway
 * states itself once it has charged for it.
 */
export function dropOurOwn(answer: JsonObject): void {
  delete answer.provider
  delete answer.x_groq
  delete answer.obfuscation
  delete answer.usage
}
