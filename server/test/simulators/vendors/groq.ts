import type { JsonObject } from '../json-value.ts'
import { wholeCall } from './openai.ts'
import { openAiCompatible } from './openai-compatible.ts'
import type { AnswerContext } from './vendor-style.ts'

const groqId = 'req_01jgroq'

/** `x_groq` on the first and the finish chunk: it always has usage, which is also at the top level if requested. */
export const groq = openAiCompatible(() => 'reasoning', {
  id: 'chatcmpl-5f0e8c9a-groq',
  model: 'llama-x-versatile',
  headers: { 'x-groq-region': 'eu-1', 'x-request-id': groqId },
  envelope: ({ id, created, model }) => ({
    id,
    object: 'chat.completion.chunk',
    created,
    model,
    system_fingerprint: 'fp_groq',
  }),
  toolCalls: (calls) => calls.map((call, index) => ({ tool_calls: [{ ...wholeCall(call), index }] })),
  usagePlace: () => 'finish-chunk',
  usage: groqUsage,
  dressChunk: (chunk, { phase, position }, context) => {
    if (position === 0) return { ...chunk, x_groq: { id: groqId, seed: 1234567 } }
    if (phase !== 'finish') return chunk
    const { usage, ...rest } = chunk
    if (usage === undefined) return { ...rest, x_groq: { id: groqId } }
    return { ...rest, x_groq: { id: groqId, usage }, ...(context.includeUsage ? { usage } : {}) }
  },
  streamError: (message, context) => ({
    ...groq.envelope(context),
    choices: [groq.choice({ index: 0, delta: {}, finish: null }, context)],
    x_groq: { id: groqId, error: message },
  }),
  dressCompletion: (body) => ({ ...body, x_groq: { id: groqId, seed: 1234567 } }),
  errorBody: ({ message, type, code }) => ({ error: { message, type, ...(code === null ? {} : { code }) } }),
  errors: {
    'rate-limited': { type: 'tokens', code: 'rate_limit_exceeded' },
    'context-too-long': { status: 413, type: 'tokens', code: 'rate_limit_exceeded' },
    overloaded: { status: 498, message: 'Flex tier capacity exceeded.', type: 'capacity', code: 'capacity_exceeded' },
  },
})

function groqUsage({ prompt, completion, reasoning, cached }: NonNullable<AnswerContext['usage']>): JsonObject {
  return {
    queue_time: 0.018,
    prompt_tokens: prompt,
    prompt_time: 0.002,
    completion_tokens: completion,
    completion_time: 0.011,
    total_tokens: prompt + completion,
    total_time: 0.013,
    ...(cached > 0 ? { prompt_tokens_details: { cached_tokens: cached } } : {}),
    completion_tokens_details: { reasoning_tokens: reasoning },
  }
}
