import { defaultVoiceOf } from '#domain/media/default-voice.ts'
import { readFailure } from '../../protocols/openai/read-failure.ts'
import type { SpeechCodec } from '../codec.ts'
import { jsonRequest } from '../media-request.ts'

export interface SpeechHabits {
  /** What it is asked for where the caller asks for nothing, by hosts whose own default is not OpenAI's. */
  readonly defaultFormat?: string
}

/** `POST /audio/speech`, as OpenAI and many others take it. */
export function openAiSpeechWith({ defaultFormat }: SpeechHabits): SpeechCodec {
  return {
    buildRequest: ({ input, voice, format, speed, extras }, target) =>
      jsonRequest(target, '/audio/speech', {
        ...extras,
        model: target.upstreamModel,
        input,
        voice: voice === '' ? defaultVoiceOf(target.details) : voice,
        response_format: format ?? defaultFormat,
        speed: speed ?? undefined,
      }),
    readFailure,
  }
}

export const openAiSpeech = openAiSpeechWith({})
