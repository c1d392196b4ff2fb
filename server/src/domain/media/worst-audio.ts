import { noUsage, type Usage } from '#domain/inference/usage.ts'
import { wavLengthMs } from './wav-length.ts'

/** The properties of a recording that are known before transcription. */
interface Recording {
  readonly head: Buffer
  readonly byteCount: number
}

// The lowest bit rate of recorded speech; at a higher rate the same bytes are shorter.
const bitsPerSecondMin = 6_000
const bytesMax = 10 * 1_024 * 1_024
// Providers that count tokens count ten per second of audio; no speaker says more than ten text tokens per second.
const tokensPerSecond = 10

/** The maximum usage of a transcription, in every unit that a provider may count. */
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
