import type { JsonObject } from '../json-value.ts'
import { isJsonObject } from '../json-value.ts'
import { openAiCompatible } from './openai-compatible.ts'

/** The last delta also finishes and carries usage (older: inside the choice); some chunks lack `object`. */
export const moonshot = openAiCompatible(() => 'reasoning_content', {
  id: 'chatcmpl-68f0aa11',
  model: 'kimi-x',
  headers: { 'msh-request-id': '68f0aa11', 'msh-trace-mode': 'off' },
  finishesOnLastDelta: true,
  usagePlace: () => 'finish-chunk',
  usage: ({ prompt, completion, cached, reasoning }) => ({
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    cached_tokens: cached,
    ...(reasoning > 0 ? { completion_tokens_details: { reasoning_tokens: reasoning } } : {}),
  }),
  dressChunk: (chunk, { position }, { variant }) => {
    const { object, ...rest } = chunk
    const dressed = position % 3 === 1 || object === undefined ? rest : chunk
    return variant === 'older' ? usageInsideChoice(dressed) : dressed
  },
  errors: {
    'rate-limited': { type: 'rate_limit_reached_error', code: null },
    'insufficient-quota': {
      message: 'Your account is suspended, please check your plan and billing details.',
      type: 'exceeded_current_quota_error',
      code: null,
    },
    overloaded: { status: 429, type: 'engine_overloaded_error', code: null },
  },
})

function usageInsideChoice(chunk: JsonObject): JsonObject {
  const { usage, ...rest } = chunk
  if (usage === undefined || !Array.isArray(rest.choices)) return rest
  return { ...rest, choices: rest.choices.map((choice) => (isJsonObject(choice) ? { ...choice, usage } : choice)) }
}
