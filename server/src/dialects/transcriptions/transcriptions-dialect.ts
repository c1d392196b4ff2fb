import { errorBody } from '#errors/gateway-error.ts'
import type { MediaDialect } from '../dialect.ts'
import { changeMember } from '../texts/change-member.ts'
import { textAccess } from '../texts/text-access.ts'
import { parseTranscription } from './parse-transcription.ts'
import { refuseDeafModel } from './refuse-deaf-model.ts'
import { renderTranscription } from './render-transcription.ts'

/** OpenAI's Transcriptions, as a form with a file or as JSON with base64. */
export const transcriptionsDialect: MediaDialect = {
  family: 'media',
  name: 'transcriptions',
  parse: parseTranscription,
  refuseUnfit: refuseDeafModel,
  ...textAccess((body, change) =>
    changeMember(body, 'prompt', (prompt) => (typeof prompt === 'string' ? change(prompt) : prompt)),
  ),
  render: renderTranscription,
  failFrames: () => null,
  keepAlive: null,
  errorBody: (error) => JSON.stringify(errorBody(error)),
}
