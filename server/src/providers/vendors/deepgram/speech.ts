import { speechTypeOf } from '#domain/media/speech.ts'
import { unsupportedFormat } from '#providers/codecs/audio/unsupported-format.ts'
import type { SpeechCodec } from '#providers/codecs/codec.ts'
import { jsonRequest } from '#providers/codecs/media-request.ts'
import { readFailure } from './read-failure.ts'

/** MP3 with a container or a sample rate is rejected, so each format has exactly the parameters that it needs. */
const formats: ReadonlyMap<string, Readonly<Record<string, string>>> = new Map([
  ['mp3', { encoding: 'mp3' }],
  ['aac', { encoding: 'aac' }],
  ['flac', { encoding: 'flac' }],
  ['opus', { encoding: 'opus', container: 'ogg' }],
  ['wav', { encoding: 'linear16', container: 'wav', sample_rate: '24000' }],
  ['pcm', { encoding: 'linear16', container: 'none', sample_rate: '24000' }],
])

/** Every model is one voice, so the client's voice is not sent. */
export const deepgramSpeech: SpeechCodec = {
  buildRequest: ({ input, format, speed }, target) => {
    const query = new URLSearchParams({
      model: target.upstreamModel,
      ...queryFor(format ?? 'mp3'),
      ...(speed === null ? {} : { speed: String(speed) }),
    })
    return jsonRequest(target, `/speak?${query}`, { text: input })
  },
  contentTypeFor: ({ format }) => speechTypeOf(format),
  readFailure,
}

function queryFor(format: string): Readonly<Record<string, string>> {
  const query = formats.get(format)
  if (query === undefined) throw unsupportedFormat(format, formats.keys())
  return query
}
