import type { Model } from '#domain/catalogue/model.ts'
import { charactersIn, defaultVoiceOf } from '#domain/media/speech.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { malformed } from '#errors/malformed.ts'
import { countAt } from '#lib/json.ts'
import type { DialectCall } from '../dialect.ts'
import { missingField } from '../media-fields.ts'

/** What a model cannot speak at any provider. */
export function refuseUnfitVoice({ media }: DialectCall, model: Model): void {
  if (media?.task.kind !== 'speech') return
  if (!model.outputModalities.includes('speech')) {
    throw new GatewayError('modelEndpointMismatch', {
      message: `"${model.id}" does not speak. GET /v1/models?output_modalities=speech lists the models that do.`,
    })
  }
  const { input, voice } = media.task
  if (voice === '' && !hasOwnVoice(model)) throw missingField('voice', ` "${model.id}" has no voice of its own.`)
  const charactersMax = countAt(model.details, 'max_input_characters') ?? usualCharactersMax
  if (charactersIn(input) <= charactersMax) return
  throw malformed(`\`input\` has more than the ${charactersMax} characters that "${model.id}" speaks at once.`)
}

// What OpenAI's models take; the catalogue says where another takes more or less.
const usualCharactersMax = 4_096

/** Deepgram's speaking models are one voice each. */
function hasOwnVoice({ author, details }: Model): boolean {
  return author === 'deepgram' || defaultVoiceOf(details) !== undefined
}
