import type { Spoken, TranscriptionResult } from '#domain/media/media-result.ts'
import type { TranscriptionTask } from '#domain/media/media-task.ts'
import { isJsonObject, type JsonObject, stringAt } from '#lib/json.ts'
import { heardUsage } from '#providers/codecs/audio/heard-usage.ts'
import { secondsAt } from '#providers/codecs/audio/seconds-at.ts'
import { spokenOf } from '#providers/codecs/audio/spoken-of.ts'
import { untold } from '#providers/codecs/audio/untold.ts'
import type { MediaCodec } from '#providers/codecs/codec.ts'
import { send } from '#providers/codecs/exchange-script.ts'
import { UnusableAnswerError, UpstreamRefusedError } from '#providers/codecs/faults.ts'
import { getRequest, jsonOf, jsonRequest, requestTo } from '#providers/codecs/media-request.ts'
import { poll } from '#providers/codecs/poll.ts'
import { readFailure } from '#providers/protocols/openai/failure/read-failure.ts'

/** Uploads the recording, submits it, and polls until it is transcribed. */
export const assemblyAiTranscription: MediaCodec<TranscriptionTask, TranscriptionResult> = {
  ignored: (task) => untold(task, ['prompt', 'temperature']),
  *converse({ audio, language, extras }, target) {
    const upload = requestTo(target, '/upload', {
      body: [{ file: audio, as: 'bytes' }],
      contentType: 'application/octet-stream',
    })
    const { upload_url: audioUrl } = jsonOf(yield* send(upload), readFailure)
    if (typeof audioUrl !== 'string') throw new UnusableAnswerError('The upstream returned no upload URL.')
    const submit = jsonRequest(target, '/transcript', {
      audio_url: audioUrl,
      // An array in order of preference. `speech_model` is rejected.
      speech_models: [target.upstreamModel],
      ...(language === null ? { language_detection: true } : { language_code: language }),
      speaker_labels: extras.speaker_labels === true ? true : undefined,
    })
    const { id } = jsonOf(yield* send(submit), readFailure)
    if (typeof id !== 'string') throw new UnusableAnswerError('The upstream returned no task id.')
    const request = getRequest(target, `/transcript/${encodeURIComponent(id)}`)
    return yield* poll({ request, read, readFailure })
  },
}

function read(answer: JsonObject): TranscriptionResult | undefined {
  if (answer.status === 'error') throw failureOf(stringAt(answer, 'error') ?? '')
  if (answer.status !== 'completed') return undefined
  const { text } = answer
  const durationS = secondsAt(answer, 'audio_duration')
  return {
    kind: 'transcription',
    // Null if nothing was said.
    text: typeof text === 'string' ? text : '',
    language: stringAt(answer, 'language_code') ?? null,
    durationS: durationS ?? null,
    segments: null,
    words: Array.isArray(answer.words) ? answer.words.filter(isJsonObject).flatMap(wordOf) : null,
    usage: heardUsage(durationS),
  }
}

/** Most tasks fail because the recording cannot be read, which another upstream cannot change. */
function failureOf(message: string): Error {
  if (message === '' || /internal|server error|try again|temporar/i.test(message)) {
    return new UnusableAnswerError('The upstream task failed.')
  }
  return new UpstreamRefusedError(readFailure(400, {}, JSON.stringify({ error: message })))
}

/** AssemblyAI's times are in milliseconds. */
function wordOf({ text, start, end }: JsonObject): Spoken[] {
  if (typeof start !== 'number' || typeof end !== 'number') return []
  const spoken = spokenOf({ text, start: start / 1_000, end: end / 1_000 })
  return spoken === undefined ? [] : [spoken]
}
