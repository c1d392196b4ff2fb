import { defaultVoiceOf, speechTypeOf } from '#domain/media/speech.ts'
import { objectAt } from '#lib/json.ts'
import { unsupportedFormat } from '#providers/codecs/audio/unsupported-format.ts'
import type { SpeechCodec } from '#providers/codecs/codec.ts'
import { jsonRequest } from '#providers/codecs/media-request.ts'
import { readFailure } from './read-failure.ts'

const formats: ReadonlyMap<string, string> = new Map([
  ['mp3', 'mp3_44100_128'],
  ['opus', 'opus_48000_128'],
  ['wav', 'wav_44100'],
  ['pcm', 'pcm_24000'],
])

/** The voice is part of the path. ElevenLabs' own format names, such as `mp3_22050_32`, are also accepted. */
export const elevenLabsSpeech: SpeechCodec = {
  buildRequest: ({ input, voice, format, speed, extras }, target) => {
    const speaker = voice === '' ? (defaultVoiceOf(target.details) ?? '') : voice
    const written = outputFormat(format)
    const settings = objectAt(extras, 'voice_settings')
    const voiceSettings = speed === null ? settings : { ...settings, speed }
    return jsonRequest(
      target,
      `/text-to-speech/${encodeURIComponent(speaker)}${placeFor(written)}?output_format=${encodeURIComponent(written)}`,
      {
        text: input,
        model_id: target.upstreamModel,
        language_code: extras.language_code,
        seed: extras.seed,
        voice_settings: Object.keys(voiceSettings).length === 0 ? undefined : voiceSettings,
      },
    )
  },
  contentTypeFor: ({ format }) => speechTypeOf(format?.split('_')[0] ?? null),
  readFailure,
}

/** A WAV file begins with its length, so it cannot be streamed. */
function placeFor(written: string): string {
  return written.startsWith('wav_') ? '' : '/stream'
}

function outputFormat(format: string | null): string {
  const known = formats.get(format ?? 'mp3')
  if (known !== undefined) return known
  if (format === null || !format.includes('_')) throw unsupportedFormat(format ?? '', formats.keys())
  return format
}
