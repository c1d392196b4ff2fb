import { longestMs } from '#domain/media/worst-audio.ts'
import type { PromptMatter } from './prompt-matter.ts'

/**
 * Typical token counts of media. The length of their base64 is no measure: a photo would count as a million tokens.
 * Holds reserve the maximum of each.
 */
export const mediaTokens = { image: 1_200, file: 1_500, video: 5_000 } as const

/** The tokens of an image depend on the model, so only the number of images is collected. */
export function addImage(matter: PromptMatter): void {
  matter.tokens += mediaTokens.image
  matter.images += 1
}

/**
 * Adds a document by its base64; undefined if it is sent by URL or id. A PDF compresses its text about four to one, and
 * a token has about four bytes, so one token per byte is held.
 */
export function addFile(matter: PromptMatter, base64: string | undefined): void {
  if (base64 === undefined) return addUncounted(matter, mediaTokens.file)
  const usual = mediaTokens.file + Math.ceil(base64.length / 40)
  matter.tokens += usual
  matter.tokensBeyond += Math.max(0, bytesOf(base64) - usual)
  matter.mayExpand = true
}

/** Adds a recording by its base64; undefined if it is sent by URL or id. */
export function addAudio(matter: PromptMatter, base64: string | undefined): void {
  if (base64 === undefined) return addUncounted(matter, 0)
  const usual = Math.ceil(base64.length / 100)
  const head = Buffer.from(base64.slice(0, headCharacters), 'base64')
  const lengthMs = longestMs({ head, byteCount: bytesOf(base64) })
  matter.tokens += usual
  matter.tokensBeyond += Math.max(0, Math.ceil(lengthMs / 1_000) * audioTokensPerSecond - usual)
}

/** No header reliably states the length of a video, and upstreams sample frames at different rates. */
export function addVideo(matter: PromptMatter): void {
  addUncounted(matter, mediaTokens.video)
}

/** Whether a part of an unknown type contains media. */
export function isMediaType(type: unknown): boolean {
  return typeof type === 'string' && /audio|video|image|file|document/.test(type)
}

export function addUncounted(matter: PromptMatter, usualTokens: number): void {
  matter.tokens += usualTokens
  matter.isUncounted = true
}

/** Gemini's rate, the highest of all providers. */
const audioTokensPerSecond = 32

/** A multiple of four, with room for the parts before a WAV file's samples. */
const headCharacters = 4_096

function bytesOf(base64: string): number {
  return Math.ceil((base64.length * 3) / 4)
}
