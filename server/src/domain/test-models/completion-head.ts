import type { JsonObject } from '#lib/json.ts'
import type { AnswerUsage } from './answer.ts'

/** The first fields of every test model response. Id and time are fixed: the same request gives the same bytes. */
export function completionHead(modelName: string, object: string): JsonObject {
  return { id: 'chatcmpl-test', object, created: 1_700_000_000, model: modelName }
}

export function usageJson(usage: AnswerUsage): JsonObject {
  return {
    prompt_tokens: usage.prompt,
    completion_tokens: usage.completion,
    total_tokens: usage.prompt + usage.completion,
    prompt_tokens_details: { cached_tokens: usage.cached },
    completion_tokens_details: { reasoning_tokens: usage.reasoning },
  }
}

/** A failure that an upstream reports after a 200 status. */
export const lateError: JsonObject = {
  error: { message: 'The test model failed mid-response.', type: 'server_error', param: null, code: null },
}
