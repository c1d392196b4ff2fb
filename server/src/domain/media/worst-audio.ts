import { noUsage, type Usage } from '#domain/inference/usage.ts'
import { wavLengthMs } from './wav-length.ts'

/** What is known of a recording before anybody has heard it. */
interface Recording {
  readonly head: Buffer
  readonly byteCount: number
}

// The thinnest that speech is recorded at; at a higher rate the same bytes are shorter.
const bitsPerSecondMin = 6_000
const bytesMax = 10 * 1_024 * 1_024
// Hosts that count tokens take ten for a second of sound; no speaker says more than ten tokens of text in one.
const tokensPerSecond = 10

/** The most that hearing a recording may come to, in every unit that a host may count it in. */
export function worstAudio(recording: Recording, promptTokens: number): Usage {
  const lengthMs = Math.min(longestMs(recording), thinnestMs(bytesMax))
  const tokens = Math.ceil(lengthMs / 1_000) * tokensPerSecond
  return {
    ...noUsage,
    uncachedInput: promptTokens,
    audioInput: tokens,
    textOutput: tokens,
    media: { inputAudioMs: lengthMs },
  }
}

/** The maximum length of a recording with this number of bytes. */
export function longestMs({ head, byteCount }: Recording): number {
  return wavLengthMs(head, byteCount) ?? thinnestMs(byteCount)
}

function thinnestMs(byteCount: number): number {
  return Math.ceil((byteCount * 8 * 1_000) / bitsPerSecondMin)
}
