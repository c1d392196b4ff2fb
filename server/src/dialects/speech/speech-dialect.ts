import type { Model } from '#domain/catalogue/model.ts'
import { charactersIn, defaultVoiceOf } from '#domain/media/speech.ts'
import { errorBody, GatewayError } from '#errors/gateway-error.ts'
import { malformed } from '#errors/malformed.ts'
import { countAt } from '#lib/json.ts'
import type { DialectCall, MediaDialect } from '../dialect.ts'
import { missingField } from '../media-fields.ts'
import { changeMember } from '../texts/change-member.ts'
import { textAccess } from '../texts/text-access.ts'
import { parseSpeech } from './parse-speech.ts'

/** OpenAI's Speech: text in, the bytes of the upstream's audio out. */
export const speechDialect: MediaDialect = {
  family: 'media',
  name: 'speech',
  parse: parseSpeech,
  refuseUnfit: refuseUnfitVoice,
  ...textAccess((body, change) =>
    ['input', 'instructions'].reduce(
      (changed, field) => changeMember(changed, field, (text) => (typeof text === 'string' ? change(text) : text)),
      body,
    ),
  ),
  render: () => {
    throw new TypeError('speech is passed on as it comes')
  },
  // Nothing may be inserted into audio, so only a broken connection signals a failure.
  failFrames: () => null,
  keepAlive: null,
  errorBody: (error) => JSON.stringify(errorBody(error)),
}

/** Rejects a speech request that the model does not support at any provider. */
function refuseUnfitVoice({ media }: DialectCall, model: Model): void {
  if (media?.task.kind !== 'speech') return
  if (!model.outputModalities.includes('speech')) {
    throw new GatewayError('modelEndpointMismatch', {
      message: `"${model.id}" is not a speech model. GET /v1/models?output_modalities=speech lists speech models.`,
    })
  }
  const { input, voice } = media.task
  if (voice === '' && !hasOwnVoice(model)) throw missingField('voice', ` "${model.id}" has no default voice.`)
  const charactersMax = countAt(model.details, 'max_input_characters') ?? usualCharactersMax
  if (charactersIn(input) <= charactersMax) return
  throw malformed(`\`input\` exceeds the limit of ${charactersMax} characters for "${model.id}".`)
}

// The limit of OpenAI's models; the catalogue states other limits.
const usualCharactersMax = 4_096

/** Each of Deepgram's speech models is one voice. */
function hasOwnVoice({ author, details }: Model): boolean {
  return author === 'deepgram' || defaultVoiceOf(details) !== undefined
}
