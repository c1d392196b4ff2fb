import { bytesIn, bytesPerToken, estimateTokens } from '#lib/estimate-tokens.ts'
import type { JsonValue } from '#lib/json.ts'

/**
 * The parts of a body that become the prompt: its texts, and token counts for everything else. A dialect collects them.
 * Media are in `prompt-media.ts`.
 */
export interface PromptMatter {
  readonly texts: string[]
  /** Typical tokens of media, and the tokens that every message costs besides its text. */
  tokens: number
  /** The additional tokens that media other than images may count for. */
  tokensBeyond: number
  images: number
  /** Whether the prompt has a compressed file inline, whose text may be far longer than the file. */
  mayExpand: boolean
  /** Whether the prompt has a part that only the upstream can count, such as a video. */
  isUncounted: boolean
}

export interface PromptSize {
  /** The best estimate, for context checks and quotas; charging uses the upstream's own count. */
  readonly promptTokensEstimate: number
  /**
   * The tokens that holds reserve: at least one per four bytes of UTF-8, because tokenizers differ, and older ones need
   * many more tokens than ours for most languages except English.
   */
  readonly promptTokensHeld: number
  /**
   * The maximum tokens of the text and messages: no tokenizer produces more tokens than bytes. If missing,
   * `promptTokensHeld` applies.
   */
  readonly promptTokensMax?: number
  /** A compressed file may expand beyond the held tokens, up to the model's context. */
  readonly mayExpand?: true
  /**
   * Additional tokens that inline files and recordings may count for, up to the model's context; missing means none.
   */
  readonly promptTokensBeyond?: number
  /** The number of images, for each of which the model's maximum is held; missing means none. */
  readonly promptImages?: number
  /** The prompt may fill the context, so the hold covers the whole context. */
  readonly fillsContext?: true
}

export const tokensPerMessage = 4

export function collectMatter(collect: (matter: PromptMatter) => void): PromptMatter {
  const matter: PromptMatter = {
    texts: [],
    tokens: 0,
    tokensBeyond: 0,
    images: 0,
    mayExpand: false,
    isUncounted: false,
  }
  collect(matter)
  return matter
}

/** Adds a string as it is, and any other value as JSON, which is how most upstreams show it to their models. */
export function addText(matter: PromptMatter, value: JsonValue | undefined): void {
  if (value === undefined || value === null || value === '') return
  matter.texts.push(typeof value === 'string' ? value : JSON.stringify(value))
}

// No prompt has more tokens than bytes, so a prompt this short fits every context and quota unit, however it is
// counted. Counting it with the tokenizer would take longer than the rest of parsing.
const shortBytesMax = 2_048

/** The size of a single text. */
export function sizeOfText(text: string): PromptSize {
  return sizeOf(collectMatter((matter) => addText(matter, text)))
}

export function sizeOf({ texts, tokens, tokensBeyond, images, mayExpand, isUncounted }: PromptMatter): PromptSize {
  const bytes = bytesIn(texts)
  const guess = bytes / bytesPerToken
  const estimate = bytes <= shortBytesMax ? guess : estimateTokens(texts)
  const held = Math.max(estimate, guess)
  return {
    promptTokensEstimate: tokens + Math.ceil(estimate),
    promptTokensHeld: tokens + Math.ceil(held),
    ...(bytes === 0 ? {} : { promptTokensMax: tokens + Math.max(bytes, Math.ceil(held)) }),
    ...(tokensBeyond === 0 ? {} : { promptTokensBeyond: tokensBeyond }),
    ...(images === 0 ? {} : { promptImages: images }),
    ...(mayExpand ? { mayExpand: true } : {}),
    ...(isUncounted ? { fillsContext: true } : {}),
  }
}
