import { defaultVoiceOf, speechTypeOf } from '#domain/media/speech.ts'
import { parseJsonObject, stringAt } from '#lib/json.ts'
import { unsupportedFormat } from '#providers/codecs/audio/unsupported-format.ts'
import type { SpeechCodec } from '#providers/codecs/codec.ts'
import { jsonRequest } from '#providers/codecs/media-request.ts'
import { readFailure } from '#providers/protocols/openai/failure/read-failure.ts'

const formats: ReadonlySet<string> = new Set(['mp3', 'wav', 'pcm', 'flac', 'opus'])

/**
 * A voice is named by its id, there is no speed, and the audio is base64 in a document. Other fields are rejected with
 * 422.
 */
export const mistralSpeech: SpeechCodec = {
  ignored: ({ speed, extras }) => [...(speed === null ? [] : ['speed']), ...Object.keys(extras)],
  buildRequest: ({ input, voice, format }, target) =>
    jsonRequest(target, '/audio/speech', {
      model: target.upstreamModel,
      input,
      voice_id: voice === '' ? defaultVoiceOf(target.details) : voice,
      response_format: formatFor(format ?? 'mp3'),
      stream: false,
    }),
  contentTypeFor: ({ format }) => speechTypeOf(format),
  readDocument: (document) => {
    const base64 = stringAt(parseJsonObject(document.toString('utf8')) ?? {}, 'audio_data')
    return base64 === undefined ? undefined : { audio: Buffer.from(base64, 'base64') }
  },
  readFailure,
}

function formatFor(format: string): string {
  if (!formats.has(format)) throw unsupportedFormat(format, formats)
  return format
}
