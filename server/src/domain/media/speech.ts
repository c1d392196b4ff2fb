import type { Model } from '#domain/catalogue/model.ts'
import { type JsonObject, stringAt } from '#lib/json.ts'

/** Counts code points, the unit by which most speech is charged, so that an emoji counts once. */
export function charactersIn(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}

/** Gemini's speech is priced by text and audio tokens, and every response counts both. */
export function isSpokenInTokens({ author }: Pick<Model, 'author'>): boolean {
  return author === 'google'
}

/** The default voice of the catalogue, if it states one. */
export function defaultVoiceOf(details: JsonObject): string | undefined {
  return stringAt(details, 'default_voice')
}

/** The media type of a speech format, for upstreams that do not state it. */
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
