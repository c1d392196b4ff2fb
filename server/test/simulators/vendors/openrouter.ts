import type { JsonObject } from '../json-value.ts'
import { openAiCompatible } from './openai-compatible.ts'

const generationId = 'gen-1790000000-AbCdEf'

/** Processing comments, `provider`, native finish reasons, reasoning details, and usage with its cost by default. */
export const openrouter = openAiCompatible(() => 'reasoning', {
  id: generationId,
  model: 'maker/model-x',
  headers: { 'x-generation-id': generationId },
  opening: () => [': OPENROUTER PROCESSING\n\n', ': OPENROUTER PROCESSING\n\n'],
  envelope: ({ id, created, model }) => ({ id, provider: 'Example', model, object: 'chat.completion.chunk', created }),
  open: (deltas) => deltas.map((delta) => ({ role: 'assistant', content: '', ...delta })),
  thinking: (pieces) =>
    pieces.map((piece) => ({ content: '', reasoning: piece, reasoning_details: [detailOf(piece)] })),
  choice: ({ index, delta, finish }) => ({
    index,
    delta,
    finish_reason: finish,
    native_finish_reason: finish === 'stop' ? 'end_turn' : finish,
    logprobs: null,
  }),
  finishDelta: () => ({ role: 'assistant', content: '' }),
  usagePlace: () => 'always-chunk',
  usage: ({ prompt, completion, cached, reasoning, searches }) => ({
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    cost: (prompt * 2 + completion * 5) / 1e7,
    is_byok: false,
    prompt_tokens_details: { cached_tokens: cached, cache_write_tokens: 0, audio_tokens: 0 },
    cost_details: {
      upstream_inference_cost: null,
      upstream_inference_prompt_cost: (prompt * 2) / 1e7,
      upstream_inference_completions_cost: (completion * 5) / 1e7,
    },
    completion_tokens_details: { reasoning_tokens: reasoning, image_tokens: 0 },
    ...(searches > 0 ? { server_tool_use: { web_search_requests: searches } } : {}),
  }),
  dressChunk: (chunk, { phase }, context) =>
    phase === 'usage'
      ? {
          ...chunk,
          choices: [openrouter.choice({ index: 0, delta: openrouter.finishDelta(noParts), finish: null }, context)],
        }
      : chunk,
  streamError: (message, context) => ({
    ...openrouter.envelope(context),
    error: { code: 502, message, metadata: { error_type: 'provider_unavailable', provider_name: 'Example' } },
    choices: [{ index: 0, delta: { content: '' }, finish_reason: 'error' }],
  }),
  message: ({ text, refusal, thinking, calls }, context) => ({
    ...base.message({ text, refusal, thinking, calls, finish: 'stop' }, context),
    refusal: null,
    ...(thinking.length === 0 ? {} : { reasoning_details: [detailOf(thinking.join(''))] }),
  }),
  dressCompletion: (body) => ({ ...body, provider: 'Example', system_fingerprint: null }),
  errorBody: ({ status, message, code }) => ({
    error: { code: status, message, metadata: { error_type: code, provider_name: 'Example' } },
  }),
  errors: {
    'insufficient-quota': { status: 402, message: 'Insufficient credits.', code: 'payment_required' },
    overloaded: { code: 'provider_overloaded' },
    'server-error': { code: 'server' },
  },
})

const base = openAiCompatible(() => 'reasoning', {})
const noParts = { thinking: [], text: [], refusal: [], calls: [], finish: 'stop' } as const

function detailOf(text: string): JsonObject {
  return { type: 'reasoning.text', text, format: 'unknown', index: 0 }
}
