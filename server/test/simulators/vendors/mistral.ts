import type { JsonObject } from '../json-value.ts'
import type { ToolCall } from '../scenarios/answer.ts'
import { openAiCompatible } from './openai-compatible.ts'

/** Usage and whole tool calls on the finish chunk; reasoning models send content as an array of parts. */
export const mistral = openAiCompatible(() => 'reasoning_content', {
  id: 'cmpl0f1e2d3c4b5a69788796a5b4c3d2e1f0',
  model: 'mistral-x-latest',
  headers: { 'mistral-correlation-id': '0199-ab', 'x-ratelimit-remaining-req-minute': '59' },
  text: (piece, _context, hasThinking) => ({ content: hasThinking ? [textPart(piece)] : piece }),
  thinking: (pieces) => pieces.map((piece) => ({ content: [thinkingPart(piece)] })),
  toolCalls: () => [],
  finishDelta: ({ calls }) => ({ content: '', ...(calls.length === 0 ? {} : { tool_calls: calls.map(mistralCall) }) }),
  usagePlace: () => 'finish-chunk',
  usage: ({ prompt, completion, cached }) => ({
    prompt_tokens: prompt,
    total_tokens: prompt + completion,
    completion_tokens: completion,
    ...(cached > 0 ? { prompt_tokens_details: { cached_tokens: cached } } : {}),
  }),
  streamError: (message) => ({ object: 'error', message, type: 'internal_server_error', param: null, code: '3000' }),
  message: ({ text, refusal, thinking, calls }) => {
    const said = [...text, ...refusal].join('')
    return {
      role: 'assistant',
      content: thinking.length === 0 ? said : [thinkingPart(thinking.join('')), textPart(said)],
      tool_calls: calls.length === 0 ? null : calls.map(mistralCall),
      prefix: false,
    }
  },
  errorBody: ({ status, message, type, param, code }) =>
    status === 422
      ? { detail: [{ type: 'extra_forbidden', loc: ['body', param], msg: message }] }
      : { object: 'error', message, type, param, code },
  errors: {
    'rate-limited': { message: 'Rate limit exceeded', type: 'rate_limited', code: '1300' },
    'unsupported-parameter': { status: 422, message: 'Extra inputs are not permitted', param: 'stream_options' },
    'model-not-found': { status: 400, message: 'Invalid model: x', type: 'invalid_model', code: '1500' },
  },
})

function textPart(text: string): JsonObject {
  return { type: 'text', text }
}

function thinkingPart(text: string): JsonObject {
  return { type: 'thinking', thinking: [textPart(text)] }
}

function mistralCall(call: ToolCall): JsonObject {
  return { id: call.id, function: { name: call.name, arguments: call.arguments.join('') } }
}
