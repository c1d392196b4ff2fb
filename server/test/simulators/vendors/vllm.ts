import { openAiCompatible } from './openai-compatible.ts'

/** `stop_reason` next to the finish reason, reasoning under its new or older name, running usage when configured. */
export const vllm = openAiCompatible(({ variant }) => (variant === 'older' ? 'reasoning_content' : 'reasoning'), {
  id: 'chatcmpl-0d9e8f7a6b5c4d3e2f1a0b9c8d7e6f5a',
  model: 'local/open-model',
  choice: ({ index, delta, finish }) => ({
    index,
    delta,
    logprobs: null,
    finish_reason: finish,
    ...(finish === null ? {} : { stop_reason: null }),
  }),
  finishDelta: () => ({ content: '' }),
  usagePlace: ({ variant }) => (variant === 'continuous-usage' ? 'every-chunk' : 'asked-chunk'),
  usage: ({ prompt, completion, cached }) => ({
    prompt_tokens: prompt,
    total_tokens: prompt + completion,
    completion_tokens: completion,
    prompt_tokens_details: cached > 0 ? { cached_tokens: cached } : null,
  }),
  dressCompletion: (body) => ({ ...body, prompt_logprobs: null, kv_transfer_params: null }),
  streamError: (message) => ({ error: { message, type: 'InternalServerError', param: null, code: 500 } }),
  errorBody: ({ status, message, type, param }) => ({ error: { message, type, param, code: status } }),
  errors: { 'context-too-long': { type: 'BadRequestError' }, 'model-not-found': { type: 'NotFoundError' } },
  rateLimitHeaders: {},
})
