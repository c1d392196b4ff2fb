import type { Model } from '#domain/catalogue/model.ts'
import { errorBody, GatewayError } from '#errors/gateway-error.ts'
import type { DialectCall, MediaDialect } from '../dialect.ts'
import { changeContent } from '../texts/change-content.ts'
import { changeMember } from '../texts/change-member.ts'
import { textAccess } from '../texts/text-access.ts'
import { parseTranscription } from './parse-transcription.ts'
import { renderTranscription } from './render-transcription.ts'

/** OpenAI's Transcriptions, as a form with a file or as JSON with base64. */
export const transcriptionsDialect: MediaDialect = {
  family: 'media',
  name: 'transcriptions',
  parse: parseTranscription,
  refuseUnfit: refuseDeafModel,
  ...textAccess((body, change) =>
    // Speaker names are texts as well, one or several.
    ['prompt', 'known_speaker_names', 'known_speaker_names[]'].reduce(
      (changed, field) => changeMember(changed, field, (words) => changeContent(words, change)),
      body,
    ),
  ),
  render: renderTranscription,
  failFrames: () => null,
  keepAlive: null,
  errorBody: (error) => JSON.stringify(errorBody(error)),
}

function refuseDeafModel(_call: DialectCall, model: Model): void {
  if (model.outputModalities.includes('transcription')) return
  throw new GatewayError('modelEndpointMismatch', {
    message: `"${model.id}" is not a transcription model. GET /v1/models?output_modalities=transcription lists transcription models.`,
  })
}
