import { openAiCompatible } from './openai-compatible.ts'

/** Usage on the last chunk, `warnings`, and sometimes the finish reason `eos`. */
export const together = openAiCompatible(() => 'reasoning', {
  id: 'oT1together-2kFHot-98a7b6c5d4e3f2a1',
  model: 'meta-llama/Llama-x-Turbo',
  headers: { 'x-together-traceid': '98a7b6c5' },
  open: (deltas) => deltas.map((delta) => ({ token_id: 311, role: 'assistant', content: '', ...delta })),
  finishReason: (reason, { variant }) => (variant === 'eos' && reason === 'stop' ? 'eos' : reason),
  choice: ({ index, delta, finish }) => ({
    index,
    text: delta.content ?? '',
    logprobs: null,
    finish_reason: finish,
    delta,
  }),
  finishDelta: () => ({ token_id: 128009, role: 'assistant', content: '' }),
  usagePlace: () => 'finish-chunk',
  hasNullUsage: () => true,
  usage: ({ prompt, completion, cached }) => ({
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    cached_tokens: cached,
  }),
  dressChunk: (chunk, { phase }) =>
    phase === 'finish' ? { ...chunk, warnings: [{ message: 'Parameter ignored.' }] } : chunk,
  dressCompletion: (body) => ({ ...body, prompt: [], warnings: [] }),
})
