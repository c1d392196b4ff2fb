import { nativeReason } from '#domain/inference/finish-reason.ts'
import type { JsonObject } from '#lib/json.ts'

/** The upstream's own finish reason, from the first choice that has one. */
export function nativeFinishReason(choices: readonly JsonObject[]): string | null {
  for (const { native_finish_reason: word } of choices) {
    if (typeof word === 'string') return nativeReason(word)
  }
  return null
}
