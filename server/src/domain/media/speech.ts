import type { Model } from '#domain/catalogue/model.ts'
import { type JsonObject, stringAt } from '#lib/json.ts'

/** What most speech is charged by: code points, so that an emoji counts once whatever it takes to write it down. */
export function charactersIn(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}

/** Gemini's speech is sold by the tokens of its text and of its sound, and every answer counts both. */
export function isSpokenInTokens({ author }: Pick<Model, 'author'>): boolean {
  return author === 'google'
}

/** The voice that speaks where the client names none: the one that the catalogue states, if it does. */
export function defaultVoiceOf(details: JsonObject): string | undefined {
  return stringAt(details, 'default_voice')
}

/** The media type of a speech format, for upstreams that do not say it themselves. */
export function speechTypeOf(format: string | null): string {
  return types.get(format ?? 'mp3') ?? 'application/octet-stream'
}

const types: ReadonlyMap<string, string> = new Map([
  ['mp3', 'audio/mpeg'],
  ['wav', 'audio/wav'],
  ['opus', 'audio/ogg'],
  ['aac', 'audio/aac'],
  ['flac', 'audio/flac'],
  ['pcm', 'audio/pcm'],
])
