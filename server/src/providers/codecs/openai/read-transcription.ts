import type { Spoken, TranscriptionResult } from '#domain/media/media-result.ts'
import { isJsonObject, type JsonObject, type JsonValue, stringAt } from '#lib/json.ts'
import { readFailure } from '#providers/protocols/openai/failure/read-failure.ts'
import { spokenOf } from '../audio/spoken-of.ts'
import { secondsAt } from '../audio/seconds-at.ts'
import { UnusableAnswerError, UpstreamRefusedError } from '../faults.ts'
import { transcriptionUsage } from './transcription-usage.ts'

/** A transcription in any of OpenAI's JSON forms. */
export function readTranscription(answer: JsonObject): TranscriptionResult {
  const { text } = answer
  if (typeof text !== 'string') {
    if (answer.error !== undefined) throw new UpstreamRefusedError(readFailure(200, {}, JSON.stringify(answer)))
    throw new UnusableAnswerError('The upstream returned a transcription without text.')
  }
  const durationS = secondsAt(answer, 'duration')
  return {
    kind: 'transcription',
    text,
    language: stringAt(answer, 'language') ?? null,
    durationS: durationS ?? null,
    segments: listOf(answer.segments, segmentOf),
    words: listOf(answer.words, wordOf),
    usage: transcriptionUsage(answer, durationS),
  }
}

function listOf(list: JsonValue | undefined, read: (item: JsonObject) => Spoken | undefined): Spoken[] | null {
  if (!Array.isArray(list)) return null
  return list.filter(isJsonObject).flatMap((item) => read(item) ?? [])
}

// The gateway numbers the segments, so that the numbers are the same for every provider.
function segmentOf({ id: _, start, end, text, ...details }: JsonObject): Spoken | undefined {
  return spokenOf({ text, start, end }, details)
}

function wordOf({ word, start, end, ...details }: JsonObject): Spoken | undefined {
  return spokenOf({ text: word, start, end }, details)
}
