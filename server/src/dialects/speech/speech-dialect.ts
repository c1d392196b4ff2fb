import { errorBody } from '#errors/gateway-error.ts'
import type { MediaDialect } from '../dialect.ts'
import { changeMember } from '../texts/change-member.ts'
import { textAccess } from '../texts/text-access.ts'
import { parseSpeech } from './parse-speech.ts'
import { refuseUnfitVoice } from './refuse-unfit-voice.ts'

/** OpenAI's Speech: a text in, the bytes of its upstream's audio out. */
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
  // Nothing may stand between the bytes of audio, so only a broken connection tells that it failed.
  failFrames: () => null,
  keepAlive: null,
  errorBody: (error) => JSON.stringify(errorBody(error)),
}
