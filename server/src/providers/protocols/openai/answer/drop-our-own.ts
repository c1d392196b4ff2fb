import type { JsonObject } from '#lib/json.ts'

/**
 * Removes response fields that never reach a client unchanged: the serving provider, padding, and usage, which the
 * gateway states itself after charging for it.
 */
export function dropOurOwn(answer: JsonObject): void {
  delete answer.provider
  delete answer.x_groq
  delete answer.obfuscation
  delete answer.usage
}
