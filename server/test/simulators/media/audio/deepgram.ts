import type { MediaAnswer, MediaHandler } from '../../start-media-upstream.ts'
import { noise } from './audio-bytes.ts'

export const deepgramUpstream: MediaHandler = (call) => {
  if (call.headers.authorization !== 'Token upstream-secret') return refused(401, 'INVALID_AUTH')
  const { pathname, searchParams } = new URL(call.path, 'http://upstream')
  if (pathname === '/v1/speak') {
    const isMp3 = searchParams.get('encoding') === 'mp3'
    if (isMp3 && (searchParams.has('container') || searchParams.has('sample_rate'))) return refused(400, 'UNSUPPORTED')
    if (typeof call.json.text !== 'string' || 'voice' in call.json) return refused(400, 'Bad Request')
    return { headers: { 'content-type': 'audio/mpeg' }, body: noise(2_000) }
  }
  if (pathname !== '/v1/listen') return refused(404, 'NOT_FOUND')
  const heard = {
    transcript: 'hello there',
    confidence: 0.99,
    words: [
      { word: 'hello', start: 0.08, end: 0.4, confidence: 0.99 },
      { word: 'there', start: 0.4, end: 1, confidence: 0.99 },
    ],
  }
  return {
    body: {
      metadata: { request_id: 'r', duration: 12.345, channels: 1 },
      results: {
        channels: [{ alternatives: [heard] }],
        ...(searchParams.get('utterances') === 'true'
          ? { utterances: [{ start: 0.08, end: 1, transcript: 'hello there' }] }
          : {}),
      },
    },
  }
}

function refused(status: number, code: string): MediaAnswer {
  return { status, body: { err_code: code, err_msg: `It said ${code}.`, request_id: 'r' } }
}
