import type { TranscriptionResult } from '#domain/media/media-result.ts'
import type { TranscriptionTask } from '#domain/media/media-task.ts'
import { isJsonObject, type JsonObject, stringAt } from '#lib/json.ts'
import { heardUsage } from '#providers/codecs/audio/heard-usage.ts'
import { secondsAt } from '#providers/codecs/audio/seconds-at.ts'
import { spokenOf } from '#providers/codecs/audio/spoken-of.ts'
import { untold } from '#providers/codecs/audio/untold.ts'
import type { MediaCodec } from '#providers/codecs/codec.ts'
import { send } from '#providers/codecs/exchange-script.ts'
import { UnusableAnswerError } from '#providers/codecs/faults.ts'
import { type FormPart, formRequest, jsonOf } from '#providers/codecs/media-request.ts'
import { readFailure } from './read-failure.ts'

export const elevenLabsTranscription: MediaCodec<TranscriptionTask, TranscriptionResult> = {
  ignored: (task) => untold(task, ['prompt']),
  *converse(task, target) {
    const parts: FormPart[] = [
      { name: 'model_id', value: target.upstreamModel },
      ...(task.language === null ? [] : [{ name: 'language_code', value: task.language }]),
      ...(task.temperature === null ? [] : [{ name: 'temperature', value: String(task.temperature) }]),
      ...(typeof task.extras.diarize === 'boolean' || typeof task.extras.diarize === 'string'
        ? [{ name: 'diarize', value: String(task.extras.diarize) }]
        : []),
      { name: 'file', file: task.audio, filename: task.audio.name },
    ]
    return read(jsonOf(yield* send(formRequest(target, '/speech-to-text', parts)), readFailure))
  },
}

function read(answer: JsonObject): TranscriptionResult {
  const { text } = answer
  if (typeof text !== 'string') throw new UnusableAnswerError('The upstream returned a transcription without text.')
  const heard = Array.isArray(answer.words) ? answer.words.filter(isJsonObject) : []
  const words = heard.filter(({ type }) => type !== 'spacing').flatMap((word) => spokenOf(word) ?? [])
  const durationS = secondsAt(answer, 'audio_duration_secs')
  return {
    kind: 'transcription',
    text,
    language: stringAt(answer, 'language_code') ?? null,
    durationS: durationS ?? null,
    segments: null,
    words: Array.isArray(answer.words) ? words : null,
    // Without a total length, the recording ends with the last word.
    usage: heardUsage(durationS ?? words.at(-1)?.endS),
  }
}
