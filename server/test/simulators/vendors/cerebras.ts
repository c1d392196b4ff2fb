import { openAiCompatible } from './openai-compatible.ts'

const timeInfo = {
  queue_time: 0.0003,
  prompt_time: 0.0021,
  completion_time: 0.0054,
  total_time: 0.0098,
  created: 1790000000,
}

/** Usage and `time_info` on the last chunk; a failing stream sends an error next to a `status_code`. */
export const cerebras = openAiCompatible(() => 'reasoning', {
  id: 'chatcmpl-cb12ad34',
  model: 'llama-x-70b',
  envelope: ({ id, created, model }) => ({
    id,
    created,
    model,
    system_fingerprint: 'fp_cb',
    object: 'chat.completion.chunk',
  }),
  usagePlace: () => 'finish-chunk',
  dressChunk: (chunk, { phase }) => (phase === 'finish' ? { ...chunk, time_info: timeInfo } : chunk),
  streamError: (message) => ({
    error: { message, type: 'server_error', param: '', code: 'internal_error', id: 'err_1' },
    status_code: 500,
  }),
  dressCompletion: (body) => ({ ...body, time_info: timeInfo }),
})
