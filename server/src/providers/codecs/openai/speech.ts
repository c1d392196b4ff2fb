import { defaultVoiceOf } from '#domain/media/speech.ts'
import { readFailure } from '#providers/protocols/openai/failure/read-failure.ts'
import { unsupportedFormat } from '../audio/unsupported-format.ts'
import type { SpeechCodec } from '../codec.ts'
import { jsonRequest } from '../media-request.ts'
import { knownExtras } from '../images/known-extras.ts'

interface SpeechHabits {
  /** The format to request if the client names none, for upstreams whose own default is not OpenAI's. */
  readonly defaultFormat?: string
  /** The upstream's own names of formats. */
  readonly formatNames?: Readonly<Record<string, string>>
  /** The upstream's formats, if it accepts no others. */
  readonly formats?: readonly string[]
  /** Set if the upstream supports only one speed. */
  readonly hasOneSpeed?: true
}

/** `POST /audio/speech`, as accepted by OpenAI and many others. */
export function openAiSpeechWith(habits: SpeechHabits): SpeechCodec {
  return {
    ignored: ({ speed, extras }) => [
      ...(speed !== null && habits.hasOneSpeed === true ? ['speed'] : []),
      ...Object.keys(extras).filter((name) => !told.includes(name)),
    ],
    buildRequest: ({ input, voice, format, speed, extras }, target) =>
      jsonRequest(target, '/audio/speech', {
        ...knownExtras(extras, told),
        model: target.upstreamModel,
        input,
        voice: voice === '' ? defaultVoiceOf(target.details) : voice,
        response_format: formatFor(format, habits),
        speed: habits.hasOneSpeed === true ? undefined : (speed ?? undefined),
      }),
    readFailure,
  }
}

function formatFor(
  format: string | null,
  { defaultFormat, formatNames = {}, formats }: SpeechHabits,
): string | undefined {
  if (format === null) return defaultFormat
  if (formats?.includes(format) === false) throw unsupportedFormat(format, formats)
  return formatNames[format] ?? format
}

/**
 * Extra fields that a client may send. Nothing else is passed on: some upstreams speak text from other fields, which no
 * filter has read, or fetch a voice from any URL.
 */
const told = ['instructions', 'lang_code', 'language', 'seed', 'temperature', 'sample_rate', 'gain']

export const openAiSpeech = openAiSpeechWith({})
