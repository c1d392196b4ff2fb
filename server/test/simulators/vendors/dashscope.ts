import type { JsonObject } from '../json-value.ts'
import { isJsonObject } from '../json-value.ts'
import type { ToolCall } from '../scenarios/answer.ts'
import { openAiCompatible, roleOnFirstDelta } from './openai-compatible.ts'

/** Keys in any order, empty ids on later tool deltas, a trailing empty tool delta, details that may be missing. */
export const dashscope = openAiCompatible(() => 'reasoning_content', {
  id: 'chatcmpl-7a6b5c4d-dash',
  model: 'qwen-x-plus',
  headers: { 'x-request-id': '7a6b5c4d', 'x-dashscope-call-gateway': 'true' },
  open: roleOnFirstDelta,
  toolCalls: (calls) => calls.flatMap(emptyIdFragments),
  choice: ({ index, delta, finish }) =>
    isTrailing(delta) ? { delta, index } : { finish_reason: finish, delta, index, logprobs: null },
  usage: ({ prompt, completion, cached, reasoning }) => ({
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    ...(cached > 0 ? { prompt_tokens_details: { cached_tokens: cached } } : {}),
    ...(reasoning > 0 ? { completion_tokens_details: { reasoning_tokens: reasoning } } : {}),
  }),
  dressChunk: (chunk, { position }) => reorder(chunk, position),
  errors: {
    'rate-limited': { type: 'limit_requests', code: 'limit_requests' },
    'prompt-blocked': {
      message: 'Input data may contain inappropriate content.',
      type: 'data_inspection_failed',
      code: 'data_inspection_failed',
    },
  },
})

function emptyIdFragments(call: ToolCall, index: number): JsonObject[] {
  const naming = { index, id: call.id, type: 'function', function: { name: call.name, arguments: '' } }
  const adding = call.arguments.map((fragment) => ({
    index,
    id: '',
    type: 'function',
    function: { arguments: fragment },
  }))
  const trailing = { index, id: '', type: 'function', function: { arguments: '' } }
  return [naming, ...adding, trailing].map((delta) => ({ tool_calls: [delta] }))
}

/** The trailing tool delta has no `finish_reason` key. */
function isTrailing(delta: JsonObject): boolean {
  const [call] = Array.isArray(delta.tool_calls) ? delta.tool_calls : []
  return isJsonObject(call) && call.id === '' && isJsonObject(call.function) && call.function.arguments === ''
}

/** A different but repeatable order of keys for every chunk. */
function reorder(chunk: JsonObject, position: number): JsonObject {
  const entries = Object.entries(chunk)
  const start = position % entries.length
  const rotated = [...entries.slice(start), ...entries.slice(0, start)]
  return Object.fromEntries(position % 2 === 0 ? rotated : rotated.toReversed())
}
