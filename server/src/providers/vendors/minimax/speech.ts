import { defaultVoiceOf, speechTypeOf } from '#domain/media/speech.ts'
import { objectAt, parseJsonObject, stringAt } from '#lib/json.ts'
import { unsupportedFormat } from '#providers/codecs/audio/unsupported-format.ts'
import type { SpeechCodec } from '#providers/codecs/codec.ts'
import { knownExtras } from '#providers/codecs/images/known-extras.ts'
import { jsonRequest } from '#providers/codecs/media-request.ts'
import { readMinimaxFailure } from './read-failure.ts'

const formats: ReadonlySet<string> = new Set(['mp3', 'wav', 'pcm', 'flac'])
const voiceFields = ['vol', 'pitch', 'emotion']
const told: ReadonlySet<string> = new Set([...voiceFields, 'language_boost'])

/** T2A v2: the audio is hexadecimal digits in a document. A rejection has status 200 and no audio. */
export const minimaxSpeech: SpeechCodec = {
  ignored: ({ extras }) => Object.keys(extras).filter((name) => !told.has(name)),
  buildRequest: ({ input, voice, format, speed, extras }, target) =>
    jsonRequest(target, '/t2a_v2', {
      model: target.upstreamModel,
      text: input,
      stream: false,
      voice_setting: {
        voice_id: voice === '' ? defaultVoiceOf(target.details) : voice,
        speed: speed ?? undefined,
        ...knownExtras(extras, voiceFields),
      },
      audio_setting: { format: formatFor(format ?? 'mp3') },
      ...knownExtras(extras, ['language_boost']),
    }),
  contentTypeFor: ({ format }) => speechTypeOf(format),
  readDocument: (document) => {
    const hex = stringAt(objectAt(parseJsonObject(document.toString('utf8')) ?? {}, 'data'), 'audio')
    return hex === undefined ? undefined : { audio: Buffer.from(hex, 'hex') }
  },
  readFailure: readMinimaxFailure,
}

function formatFor(format: string): string {
  if (!formats.has(format)) throw unsupportedFormat(format, formats)
  return format
}
