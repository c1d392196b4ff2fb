import type { JsonObject } from '#lib/json.ts'
import type { MediaAnswer, MediaHandler } from '../../start-media-upstream.ts'
import { spokenBytes } from './openai-audio.ts'
import { sentForm } from './sent-form.ts'

const spokenFields: ReadonlySet<string> = new Set([
  'model',
  'input',
  'voice_id',
  'ref_audio',
  'response_format',
  'stream',
])

/** Mistral speech in JSON, which rejects unknown fields; transcription as a form. */
export const mistralAudioUpstream: MediaHandler = async (call) => {
  if (call.headers.authorization !== 'Bearer upstream-secret') return { status: 401, body: { detail: 'Unauthorized' } }
  if (call.path === '/v1/audio/speech') {
    const unknown = Object.keys(call.json).find((name) => !spokenFields.has(name))
    if (unknown !== undefined) return extraForbidden(unknown)
    return { body: { audio_data: spokenBytes.toString('base64') } }
  }
  if (call.path !== '/v1/audio/transcriptions') return { status: 404, body: { detail: 'Not Found' } }
  const { fields, file } = await sentForm(call)
  if (file === null || fields['prompt'] !== undefined) return extraForbidden('prompt')
  return { body: heard }
}

const heard: JsonObject = {
  model: 'voxtral-mini-latest',
  text: 'Bonjour.',
  language: 'fr',
  segments: [],
  usage: { prompt_audio_seconds: 203, prompt_tokens: 4, total_tokens: 639, completion_tokens: 635 },
}

function extraForbidden(field: string): MediaAnswer {
  const detail = [{ type: 'extra_forbidden', loc: ['body', field], msg: 'Extra inputs are not permitted' }]
  return { status: 422, body: { detail } }
}
