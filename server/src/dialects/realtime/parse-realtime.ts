import type { RealtimeTask } from '#domain/media/media-task.ts'
import { worstRealtime } from '#domain/media/worst-realtime.ts'
import { countAt, type JsonObject } from '#lib/json.ts'
import type { DialectCall } from '../dialect.ts'
import { readModelName } from '../media-fields.ts'

/**
 * The body that the gateway makes of a session or of one of its responses: the model, the client's event, and the
 * maximum tokens in both directions.
 */
export interface RealtimeBody extends JsonObject {
  readonly model: string
  readonly event?: JsonObject
  readonly input_tokens_max?: number
  readonly output_tokens_max?: number
}

export function parseRealtime(body: JsonObject): DialectCall {
  const modelName = readModelName(body)
  const task: RealtimeTask = {
    kind: 'realtime',
    inputTokensMax: countAt(body, 'input_tokens_max') ?? null,
    outputTokensMax: countAt(body, 'output_tokens_max') ?? null,
  }
  return {
    // Clients of OpenAI name its models without the author.
    modelName: modelName.includes('/') ? modelName : `openai/${modelName}`,
    stream: true,
    maxTokens: 0,
    choiceCount: 1,
    hasTools: false,
    promptTokensEstimate: 0,
    promptTokensHeld: task.inputTokensMax ?? 0,
    body,
    media: { task, worst: worstRealtime(task), fitTo: (model) => ({ task, worst: worstRealtime(task, model) }) },
  }
}
