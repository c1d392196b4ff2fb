import type { JsonObject } from '#lib/json.ts'

const lengthMax = 100

/** The upstream's own word for the end, fit to be stored: Postgres takes no NUL, and nobody needs a long one. */
export function nativeFinishReason(choices: readonly JsonObject[]): string | null {
  for (const { native_finish_reason: word } of choices) {
    if (typeof word === 'string') return word.slice(0, lengthMax).replaceAll(controlCharacters, ' ')
  }
  return null
}

const controlCharacters = /[\p{Cc}\p{Cs}]/gu
