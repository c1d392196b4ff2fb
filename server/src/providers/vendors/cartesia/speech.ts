import { defaultVoiceOf, speechTypeOf } from '#domain/media/speech.ts'
import type { JsonObject } from '#lib/json.ts'
import { unsupportedFormat } from '#providers/codecs/audio/unsupported-format.ts'
import type { SpeechCodec } from '#providers/codecs/codec.ts'
import { jsonRequest } from '#providers/codecs/media-request.ts'
import { readFailure } from './read-failure.ts'
import { withVersion } from './with-version.ts'

/** MP3 with an encoding is rejected. */
const formats: ReadonlyMap<string, JsonObject> = new Map<string, JsonObject>([
  ['mp3', { container: 'mp3', sample_rate: 44_100, bit_rate: 128_000 }],
  ['wav', { container: 'wav', encoding: 'pcm_s16le', sample_rate: 44_100 }],
  ['pcm', { container: 'raw', encoding: 'pcm_s16le', sample_rate: 24_000 }],
])

export const cartesiaSpeech: SpeechCodec = {
  buildRequest: ({ input, voice, format, speed, extras }, target) =>
    withVersion(
      jsonRequest(target, '/tts/bytes', {
        model_id: target.upstreamModel,
        transcript: input,
        voice: { mode: 'id', id: voice === '' ? defaultVoiceOf(target.details) : voice },
        output_format: outputFormat(format ?? 'mp3'),
        language: extras.language,
        generation_config: speed === null ? undefined : { speed },
      }),
    ),
  contentTypeFor: ({ format }) => speechTypeOf(format),
  readFailure,
}

function outputFormat(format: string): JsonObject {
  const known = formats.get(format)
  if (known === undefined) throw unsupportedFormat(format, formats.keys())
  return known
}
