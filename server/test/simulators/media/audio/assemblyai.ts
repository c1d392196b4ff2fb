import type { MediaAnswer, MediaHandler } from '../../start-media-upstream.ts'

interface AssemblyAiScript {
  /** The number of polls before it is done. */
  readonly pollsBefore?: number
  /** The error with which it ends instead of a text. */
  readonly error?: string
}

/** Accepts an upload, then a task, then reports its progress. */
export function assemblyAiUpstream({ pollsBefore = 1, error }: AssemblyAiScript = {}): MediaHandler {
  let polls = 0
  return (call) => {
    if (call.headers.authorization !== 'upstream-secret') return { status: 401, body: { error: 'Invalid API key' } }
    if (call.path === '/v2/upload') return { body: { upload_url: `https://cdn.invalid/${call.bytes.length}` } }
    if (call.path === '/v2/transcript') {
      if ('speech_model' in call.json) return { status: 400, body: { error: withdrawn } }
      return submitted(call.json.audio_url)
    }
    if (call.method !== 'GET' || decodeURIComponent(call.path) !== '/v2/transcript/task/1')
      return { status: 404, body: { error: 'Gone' } }
    polls += 1
    if (polls <= pollsBefore) return { body: { id: 'task/1', status: polls === 1 ? 'queued' : 'processing' } }
    if (error !== undefined) return { body: { id: 'task/1', status: 'error', error } }
    return {
      body: {
        id: 'task/1',
        status: 'completed',
        text: 'Hello there.',
        language_code: 'en_us',
        audio_duration: 7,
        words: [
          { text: 'Hello', start: 250, end: 650, confidence: 0.9 },
          { text: 'there.', start: 650, end: 1_201, confidence: 0.9 },
        ],
      },
    }
  }
}

const withdrawn = '"speech_model" is deprecated. Use "speech_models" instead.'

function submitted(audioUrl: unknown): MediaAnswer {
  const isOurs = typeof audioUrl === 'string' && audioUrl.startsWith('https://cdn.invalid/')
  return isOurs ? { body: { id: 'task/1', status: 'queued' } } : { status: 400, body: { error: 'no audio_url' } }
}
