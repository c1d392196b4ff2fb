import type { JsonObject } from '#lib/json.ts'
import type { MediaAnswer, MediaHandler } from '../../start-media-upstream.ts'
import { noise } from './audio-bytes.ts'
import { sentForm } from './sent-form.ts'

export const spokenBytes = noise(5_000)

export const whisperSegments = [
  {
    id: 0,
    seek: 0,
    start: 0,
    end: 2.5,
    text: ' Hello there.',
    tokens: [50_364, 2_425],
    temperature: 0,
    avg_logprob: -0.25,
    compression_ratio: 0.8,
    no_speech_prob: 0.01,
  },
  {
    id: 1,
    seek: 0,
    start: 2.5,
    end: 8.47,
    text: ' How are you?',
    tokens: [1_012],
    temperature: 0,
    avg_logprob: -0.3,
    compression_ratio: 0.8,
    no_speech_prob: 0.02,
  },
]

/**
 * OpenAI's three audio endpoints: the vendor's rejections, noise as speech, and the same words for every recording.
 */
export const openAiAudioUpstream: MediaHandler = async (call) => {
  if (call.headers.authorization !== 'Bearer upstream-secret') return refusal(401, 'invalid_api_key')
  if (call.path === '/v1/audio/speech') {
    if (call.json.input === '' || typeof call.json.voice !== 'string') return refusal(400, 'missing_voice')
    return { headers: { 'content-type': 'audio/mpeg' }, body: spokenBytes }
  }
  const isTranslation = call.path === '/v1/audio/translations'
  if (call.path !== '/v1/audio/transcriptions' && !isTranslation) return refusal(404, 'unknown_url')
  const { fields, file } = await sentForm(call)
  if (file === null || file.bytes.length === 0) return refusal(400, 'missing_file')
  if (isTranslation) return { body: verbose([]) }
  const [format] = fields['response_format'] ?? ['json']
  return hear(fields['model']?.[0] ?? '', format ?? 'json', fields['timestamp_granularities[]'] ?? [])
}

function hear(model: string, format: string, granularities: readonly string[]): MediaAnswer {
  if (model.startsWith('whisper')) {
    if (format !== 'verbose_json') return { body: { text: 'Hello there. How are you?' } }
    return { body: verbose(granularities) }
  }
  if (format === 'verbose_json') return refusal(400, 'unsupported_value')
  return {
    body: {
      text: 'Hello there.',
      usage: {
        type: 'tokens',
        input_tokens: 14,
        input_token_details: { text_tokens: 4, audio_tokens: 10 },
        output_tokens: 45,
        total_tokens: 59,
      },
    },
  }
}

function verbose(granularities: readonly string[]): JsonObject {
  const words = [
    { word: 'Hello', start: 0, end: 0.5 },
    { word: 'there', start: 0.5, end: 1.25 },
  ]
  const onlyWords = granularities.includes('word') && !granularities.includes('segment')
  return {
    task: 'transcribe',
    language: 'english',
    duration: 8.470000267028809,
    text: 'Hello there. How are you?',
    ...(onlyWords ? {} : { segments: whisperSegments }),
    ...(granularities.includes('word') ? { words } : {}),
    usage: { type: 'duration', seconds: 9 },
  }
}

export function refusal(status: number, code: string, message = 'Refused.'): MediaAnswer {
  return { status, body: { error: { message, type: 'invalid_request_error', param: null, code } } }
}
