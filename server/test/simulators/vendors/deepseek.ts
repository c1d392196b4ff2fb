import { openAiCompatible } from './openai-compatible.ts'

/** Both delta keys always, usage on the finish chunk with cache hits and misses, keep-alive comments. */
export const deepseek = openAiCompatible(() => 'reasoning_content', {
  id: '0b7f6c1e-2d4a-4c59-9a3e-5f1d2c3b4a59',
  model: 'deepseek-chat',
  headers: { 'x-ds-trace-id': '9f2c1d' },
  opening: () => [': keep-alive\n\n'],
  envelope: ({ id, created, model }) => ({
    id,
    object: 'chat.completion.chunk',
    created,
    model,
    system_fingerprint: 'fp_ds',
  }),
  open: (deltas) =>
    deltas[0] !== undefined && 'tool_calls' in deltas[0]
      ? [{ role: 'assistant', content: null, reasoning_content: null, ...deltas[0] }, ...deltas.slice(1)]
      : [{ role: 'assistant', content: '', reasoning_content: null }, ...deltas],
  text: (piece) => ({ content: piece, reasoning_content: null }),
  thinking: (pieces) => pieces.map((piece) => ({ content: null, reasoning_content: piece })),
  finishDelta: () => ({ content: '', reasoning_content: null }),
  usagePlace: () => 'finish-chunk',
  hasNullUsage: () => true,
  usage: ({ prompt, completion, cached, reasoning }) => ({
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: cached },
    completion_tokens_details: { reasoning_tokens: reasoning },
    prompt_cache_hit_tokens: cached,
    prompt_cache_miss_tokens: prompt - cached,
  }),
  errors: {
    'insufficient-quota': {
      status: 402,
      message: 'Insufficient Balance',
      type: 'unknown_error',
      code: 'invalid_request_error',
    },
  },
})
