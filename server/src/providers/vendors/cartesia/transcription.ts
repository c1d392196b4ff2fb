import type { TranscriptionResult } from '#domain/media/media-result.ts'
import type { TranscriptionTask } from '#domain/media/media-task.ts'
import { untold } from '#providers/codecs/audio/untold.ts'
import type { MediaCodec } from '#providers/codecs/codec.ts'
import { send } from '#providers/codecs/exchange-script.ts'
import { type FormPart, formRequest, jsonOf } from '#providers/codecs/media-request.ts'
import { readTranscription } from '#providers/codecs/openai/read-transcription.ts'
import { readFailure } from './read-failure.ts'
import { withVersion } from './with-version.ts'

/** Responds like OpenAI's verbose form, but has timings only for words. */
export const cartesiaTranscription: MediaCodec<TranscriptionTask, TranscriptionResult> = {
  ignored: (task) => untold(task, ['prompt', 'temperature']),
  *converse(task, target) {
    const { audio, language, wants } = task
    const parts: FormPart[] = [
      { name: 'model', value: target.upstreamModel },
      ...(language === null ? [] : [{ name: 'language', value: language }]),
      ...(wants.words || wants.segments ? [{ name: 'timestamp_granularities[]', value: 'word' }] : []),
      { name: 'file', file: audio, filename: audio.name },
    ]
    const exchange = yield* send(withVersion(formRequest(target, '/stt', parts)))
    return readTranscription(jsonOf(exchange, readFailure))
  },
}
