import { bytesIn, bytesPerToken, estimateTokens } from '#lib/estimate-tokens.ts'
import type { JsonValue } from '#lib/json.ts'

/** What of a body becomes part of the prompt: its words, and tokens for what is not words. A dialect collects it. */
export interface PromptMatter {
  readonly texts: string[]
  /** For media, and for what every message costs beside its text. */
  tokens: number
}

export interface PromptSize {
  /** The best guess, for context checks and quotas; charging waits for the upstream's own count. */
  readonly promptTokensEstimate: number
  /**
   * What holds reserve: never less than four bytes of UTF-8 to a token, because vocabularies differ, and older ones need many
   * more tokens than ours for most writing but English.
   */
  readonly promptTokensHeld: number
}

export const tokensPerMessage = 4

/** Media are not counted by the length of their base64, which would turn a photo into a million tokens. */
export const mediaTokens = { image: 1_200, file: 1_500, video: 5_000 } as const

export function collectMatter(collect: (matter: PromptMatter) => void): PromptMatter {
  const matter: PromptMatter = { texts: [], tokens: 0 }
  collect(matter)
  return matter
}

/** Adds a text as it is, and anything else as JSON, which is how most upstreams show it to their models. */
export function addText(matter: PromptMatter, value: JsonValue | undefined): void {
  if (value === undefined || value === null || value === '') return
  matter.texts.push(typeof value === 'string' ? value : JSON.stringify(value))
}

// No prompt has more tokens than bytes, so one this short fits every context and every quota's unit, however it is counted;
// counting it with the vocabulary would take longer than all the rest of parsing.
const shortBytesMax = 2_048

export function sizeOf({ texts, tokens }: PromptMatter): PromptSize {
  const bytes = bytesIn(texts)
  const guess = bytes / bytesPerToken
  const estimate = bytes <= shortBytesMax ? guess : estimateTokens(texts)
  const held = Math.max(estimate, guess)
  return { promptTokensEstimate: tokens + Math.ceil(estimate), promptTokensHeld: tokens + Math.ceil(held) }
}
