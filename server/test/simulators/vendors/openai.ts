import type { JsonObject } from '../json-value.ts'
import type { ToolCall } from '../scenarios/answer.ts'
import type { VendorStyle } from './vendor-style.ts'

/** The reference format for every other vendor. */
export const openai: VendorStyle = {
  id: 'chatcmpl-A1b2C3d4E5',
  model: 'gpt-x-2026-01-01',
  headers: {
    'x-request-id': 'req_0123456789abcdef',
    'openai-processing-ms': '212',
    'openai-version': '2020-10-01',
    'x-ratelimit-limit-requests': '10000',
    'x-ratelimit-remaining-requests': '9999',
    'x-ratelimit-reset-requests': '6ms',
    'x-ratelimit-limit-tokens': '2000000',
    'x-ratelimit-remaining-tokens': '1999900',
    'x-ratelimit-reset-tokens': '1s',
  },
  opening: () => [],
  envelope: ({ id, created, model }) => ({
    id,
    object: 'chat.completion.chunk',
    created,
    model,
    service_tier: 'default',
    system_fingerprint: 'fp_1',
  }),
  text: (piece) => ({ content: piece }),
  thinking: () => [],
  refusal: (piece) => ({ refusal: piece }),
  toolCalls: (calls) => calls.flatMap(fragmentsOf),
  open: ([first = {}, ...rest]) =>
    'tool_calls' in first
      ? [{ role: 'assistant', content: null, ...first, refusal: null }, ...rest]
      : [
          { role: 'assistant', content: '', refusal: null },
          ...(Object.keys(first).length === 0 ? [] : [first]),
          ...rest,
        ],
  choice: ({ index, delta, finish }) => ({ index, delta, logprobs: null, finish_reason: finish }),
  finishReason: (reason) => reason,
  finishDelta: () => ({}),
  finishesOnLastDelta: false,
  usagePlace: () => 'asked-chunk',
  hasNullUsage: ({ includeUsage }) => includeUsage,
  usage: ({ prompt, completion, cached, reasoning }) => ({
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: cached, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: reasoning,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  }),
  dressChunk: (chunk, { phase, position }) =>
    phase === 'usage' ? chunk : { ...chunk, obfuscation: 'aB3xK9qLmZ'.slice(position % 7) },
  streamError: (message) => ({ error: { message, type: 'server_error', param: null, code: null } }),
  endsWithDone: ({ variant }) => variant !== 'no-done',
  message: ({ text, refusal, calls }) => ({
    role: 'assistant',
    content: text.length === 0 && calls.length + refusal.length > 0 ? null : text.join(''),
    refusal: refusal.length === 0 ? null : refusal.join(''),
    ...(calls.length === 0 ? {} : { tool_calls: calls.map(wholeCall) }),
    annotations: [],
  }),
  dressCompletion: (body) => body,
  errorBody: ({ message, type, param, code }) => ({ error: { message, type, param, code } }),
  errors: {},
  rateLimitHeaders: { 'retry-after-ms': '1200', 'x-ratelimit-remaining-requests': '0', 'x-should-retry': 'true' },
}

/** The first delta of a call names it, the others only add to its arguments. */
function fragmentsOf(call: ToolCall, index: number): JsonObject[] {
  const naming = { index, id: call.id, type: 'function', function: { name: call.name, arguments: '' } }
  const adding = call.arguments.map((fragment) => ({ index, function: { arguments: fragment } }))
  return [naming, ...adding].map((delta) => ({ tool_calls: [delta] }))
}

export function wholeCall(call: ToolCall): JsonObject {
  return { id: call.id, type: 'function', function: { name: call.name, arguments: call.arguments.join('') } }
}
