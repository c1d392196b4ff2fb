import type { CapName } from './ask.ts'
import type { Gate } from './gate.ts'

/** The behaviour of a greedy upstream: it generates as much as it may, and counts it in the most expensive way. */
export interface Greed {
  /** Tokens of each choice without a cap. */
  readonly wants: number
  /** The completion detail under which it counts tokens: `reasoning_tokens`, `audio_tokens`. */
  readonly countsAs?: string
  /** The counted prompt tokens, and their detail. */
  readonly prompt?: number
  readonly promptCountsAs?: string
  /** Searches that it makes and bills if the request has no maximum; with a maximum it makes as many as allowed. */
  readonly searches?: number
  /** Tokens that it counts for the results of each search, besides the prompt. */
  readonly tokensPerSearch?: number
  /**
   * Tokens are sent as they are generated (the default), as tool call arguments, in one frame at the end, or not at
   * all.
   */
  readonly shows?: 'as-made' | 'as-arguments' | 'at-once' | 'nothing'
  /** Usage is sent at the end (the default), repeatedly while it grows, or never. */
  readonly tellsUsage?: 'at-end' | 'growing' | 'never'
  /** The only field from which it reads its cap. */
  readonly knowsCap?: CapName
  /** Ignores a lower cap. */
  readonly ignoresCap?: boolean
  /** Breaks off its stream before the end. */
  readonly breaksOff?: boolean
  /** Responds with only this status. */
  readonly status?: number
  /** Responds only when all requests have arrived. */
  readonly gate?: Gate
  /** Sends usage and ends a stream only when all requests have arrived. */
  readonly endGate?: Gate
}

/** The output of one request. */
export interface Portion {
  readonly made: number
  readonly choices: number
  readonly searches: number
  readonly isStream: boolean
}

/** Tokens per write. */
export const tokensPerWrite = 100
