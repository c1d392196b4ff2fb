import type { JsonObject } from '#lib/json.ts'
import type { AnswerUsage } from './answer.ts'

/** What every answer of a test model starts with. Id and time are fixed: the same request gives the same bytes. */
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

/** The failure that an upstream reports after it has already answered 200. */
export const lateError: JsonObject = {
  error: { message: 'The test model failed mid-response.', type: 'server_error', param: null, code: null },
}
