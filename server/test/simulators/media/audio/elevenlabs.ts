import type { MediaAnswer, MediaHandler } from '../../start-media-upstream.ts'
import { noise } from './audio-bytes.ts'
import { sentForm } from './sent-form.ts'

export const elevenLabs: MediaHandler = async (call) => {
  if (call.headers['xi-api-key'] !== 'upstream-secret') return detail(401, 'invalid_api_key')
  const { pathname, searchParams } = new URL(call.path, 'http://upstream')
  const [, voice, stream] = /^\/v1\/text-to-speech\/([^/]+)(\/stream)?$/.exec(pathname) ?? []
  if (voice !== undefined) {
    const isKnown = (stream === undefined ? /^(?:mp3|pcm|opus|wav)_\d+/ : /^(?:mp3|pcm|opus)_\d+/).test(
      searchParams.get('output_format') ?? '',
    )
    if (!isKnown || typeof call.json.text !== 'string') return detail(400, 'invalid_request')
    return { headers: { 'content-type': 'audio/mpeg', 'character-cost': '5' }, body: noise(2_000) }
  }
  if (pathname !== '/v1/speech-to-text') return detail(404, 'not_found')
  const { fields, file } = await sentForm(call)
  if (file === null || fields['model_id'] === undefined) return detail(422, 'missing')
  return {
    body: {
      language_code: 'eng',
      language_probability: 0.98,
      text: 'Hello there.',
      words: [
        { text: 'Hello', start: 0.119, end: 0.259, type: 'word', logprob: -0.1 },
        { text: ' ', start: 0.239, end: 0.299, type: 'spacing', logprob: 0 },
        { text: 'there.', start: 0.279, end: 1.579, type: 'word', logprob: -0.2 },
      ],
    },
  }
}

function detail(status: number, word: string): MediaAnswer {
  return { status, body: { detail: { status: word, message: `It said ${word}.` } } }
}

export const elevenLabsOutOfMoney: MediaHandler = () => detail(401, 'quota_exceeded')
