import { objectAt } from '#lib/json.ts'
import type { MediaAnswer, MediaHandler } from '../../start-media-upstream.ts'
import { noise } from './audio-bytes.ts'

const fields = new Set(['model', 'text', 'stream', 'voice_setting', 'audio_setting', 'language_boost', 'output_format'])
const voiceFields = new Set(['voice_id', 'speed', 'vol', 'pitch', 'emotion'])
const audioFields = new Set(['format', 'sample_rate', 'bitrate', 'channel'])

/** T2A v2: audio in hexadecimal digits, and every outcome in `base_resp` of a response with status 200. */
export const minimaxAudio: MediaHandler = ({ path, headers, json }) => {
  if (path !== '/v1/t2a_v2') return { status: 404, body: '404 page not found' }
  if (headers.authorization !== 'Bearer upstream-secret') return minimaxVerdict(1004, 'login fail')
  const unknown = [
    ...Object.keys(json).filter((name) => !fields.has(name)),
    ...Object.keys(objectAt(json, 'voice_setting')).filter((name) => !voiceFields.has(name)),
    ...Object.keys(objectAt(json, 'audio_setting')).filter((name) => !audioFields.has(name)),
  ]
  if (unknown.length > 0) return minimaxVerdict(2013, `invalid params, ${unknown.join(', ')}`)
  const { format } = objectAt(json, 'audio_setting')
  return {
    body: {
      data: { audio: noise(2_000).toString('hex'), status: 2 },
      extra_info: { audio_length: 11_124, audio_sample_rate: 32_000, audio_format: format, usage_characters: 5 },
      trace_id: '01b8bf9bb7433cc75c18eee6cfa8fe21',
      base_resp: { status_code: 0, status_msg: 'success' },
    },
  }
}

export function minimaxVerdict(code: number, words: string): MediaAnswer {
  return { body: { trace_id: '01b8', base_resp: { status_code: code, status_msg: words } } }
}
