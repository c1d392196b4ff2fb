import { isJsonObject, objectAt } from '#lib/json.ts'
import type { MediaAnswer, MediaHandler } from '../../start-media-upstream.ts'
import { noise } from './audio-bytes.ts'
import { sentForm } from './sent-form.ts'

export const cartesiaUpstream: MediaHandler = async (call) => {
  if (call.headers.authorization !== 'Bearer upstream-secret') return refused(401, 'unauthorized')
  if (!versions.has(String(call.headers['cartesia-version']))) return refused(400, 'version_missing')
  if (call.path === '/tts/bytes') {
    const format = objectAt(call.json, 'output_format')
    if (format['container'] === 'mp3' && 'encoding' in format) return refused(400, 'encoding_not_allowed')
    if (!isJsonObject(call.json.voice) || typeof call.json.transcript !== 'string') return refused(400, 'invalid')
    return { headers: { 'content-type': 'application/octet-stream' }, body: noise(2_000) }
  }
  if (call.path !== '/stt') return refused(404, 'not_found')
  const { fields, file } = await sentForm(call)
  if (file === null) return refused(400, 'file_missing')
  const words = [{ word: 'hello', start: 0, end: 0.5 }]
  const hasWords = fields['timestamp_granularities[]']?.includes('word') === true
  return { body: { text: 'hello', language: 'en', duration: 3.25, ...(hasWords ? { words } : {}) } }
}

/** Our version, and that of the official SDK 4.2. */
const versions: ReadonlySet<string> = new Set(['2026-03-01', '2026-08-14'])

function refused(status: number, code: string): MediaAnswer {
  return { status, body: { error_code: code, title: 'Refused', message: `It said ${code}.`, request_id: 'r' } }
}
