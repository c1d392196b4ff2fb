import type { CapName } from './ask.ts'
import type { Gate } from './gate.ts'

/** How a greedy upstream behaves: it makes all that it may, and counts it in the dearest way it can. */
export interface Greed {
  /** Tokens that each choice would have without a cap. */
  readonly wants: number
  /** Counts in the details of the completion, as a share of it: `reasoning_tokens`, `audio_tokens`. */
  readonly countsAs?: string
  /** What it counts for the prompt, and in which of its details. */
  readonly prompt?: number
  readonly promptCountsAs?: string
  /** Searches that it makes and bills where it is not told a bound; with one it makes as many as it may. */
  readonly searches?: number
  /** Tokens that it counts for what each search found, beside the prompt. */
  readonly tokensPerSearch?: number
  /**
   * Tokens are shown as they are made (the default), as arguments of a tool call, in one frame at the end, or not at
   * all.
   */
  readonly shows?: 'as-made' | 'as-arguments' | 'at-once' | 'nothing'
  /** Usage is told at the end (the default), again and again while it grows, or never. */
  readonly tellsUsage?: 'at-end' | 'growing' | 'never'
  /** The one field that it reads its cap from; it does not know the other. */
  readonly knowsCap?: CapName
  /** Makes what it wants though it was told less. */
  readonly ignoresCap?: boolean
  /** Cuts its stream off before the end. */
  readonly breaksOff?: boolean
  /** Answers with this status and nothing else. */
  readonly status?: number
  /** Answers only when all have arrived. */
  readonly gate?: Gate
  /** Tells usage and ends a stream only when all have arrived. */
  readonly endGate?: Gate
}

/** What one request gets. */
export interface Portion {
  /** Tokens of each choice. */
  readonly made: number
  readonly choices: number
  readonly searches: number
  readonly isStream: boolean
}

/** Tokens that are written at once. */
export const tokensPerWrite = 100
