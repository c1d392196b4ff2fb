import { errorBody } from '#errors/gateway-error.ts'
import type { MediaDialect } from '../dialect.ts'
import { changeContent } from '../texts/change-content.ts'
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
    // Names of speakers are words as well, one or many of them.
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
