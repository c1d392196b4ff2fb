import type { Spoken, TranscriptionResult } from '#domain/media/media-result.ts'
import type { TranscriptionTask } from '#domain/media/media-task.ts'
import { isJsonObject, type JsonObject, type JsonValue, objectAt, stringAt } from '#lib/json.ts'
import { heardUsage } from '#providers/codecs/audio/heard-usage.ts'
import { secondsAt } from '#providers/codecs/audio/seconds-at.ts'
import { spokenOf } from '#providers/codecs/audio/spoken-of.ts'
import { untold } from '#providers/codecs/audio/untold.ts'
import type { MediaCodec } from '#providers/codecs/codec.ts'
import { send } from '#providers/codecs/exchange-script.ts'
import { UnusableAnswerError } from '#providers/codecs/faults.ts'
import { jsonOf, requestTo } from '#providers/codecs/media-request.ts'
import { readFailure } from './read-failure.ts'

/** Options that clients may set by name. Others are not sent, because some redirect the response. */
const options = [
  'smart_format',
  'punctuate',
  'paragraphs',
  'numerals',
  'diarize',
  'filler_words',
  'profanity_filter',
  'detect_language',
] as const

/** The recording is the request body. */
export const deepgramTranscription: MediaCodec<TranscriptionTask, TranscriptionResult> = {
  ignored: (task) => untold(task, ['prompt', 'temperature']),
  *converse(task, target) {
    const { audio, extras, language, wants } = task
    const query = new URLSearchParams({ model: target.upstreamModel })
    if (language !== null) query.set('language', language)
    if (wants.segments) query.set('utterances', 'true')
    for (const option of options) if (isOn(extras[option])) query.set(option, 'true')
    const request = requestTo(target, `/listen?${query}`, {
      body: [{ file: audio, as: 'bytes' }],
      contentType: audio.mediaType,
    })
    return read(jsonOf(yield* send(request), readFailure))
  },
}

function isOn(value: JsonValue | undefined): boolean {
  return value === true || value === 'true'
}

function read(answer: JsonObject): TranscriptionResult {
  const results = objectAt(answer, 'results')
  const [channel = {}] = objectsAt(results, 'channels')
  const [best = {}] = objectsAt(channel, 'alternatives')
  const { transcript } = best
  if (typeof transcript !== 'string') throw new UnusableAnswerError('The upstream returned no transcript.')
  const durationS = secondsAt(objectAt(answer, 'metadata'), 'duration')
  return {
    kind: 'transcription',
    text: transcript,
    language: stringAt(channel, 'detected_language') ?? null,
    durationS: durationS ?? null,
    segments: Array.isArray(results.utterances) ? objectsAt(results, 'utterances').flatMap(utteranceOf) : null,
    words: Array.isArray(best.words) ? objectsAt(best, 'words').flatMap(wordOf) : null,
    usage: heardUsage(durationS),
  }
}

function utteranceOf({ transcript, start, end }: JsonObject): Spoken[] {
  const spoken = spokenOf({ text: transcript, start, end })
  return spoken === undefined ? [] : [spoken]
}

function wordOf({ word, punctuated_word: punctuated = word, start, end }: JsonObject): Spoken[] {
  const spoken = spokenOf({ text: punctuated, start, end })
  return spoken === undefined ? [] : [spoken]
}

function objectsAt(parent: JsonObject, key: string): JsonObject[] {
  const list = parent[key]
  return Array.isArray(list) ? list.filter(isJsonObject) : []
}
