import type { StepsScenario } from '../../scenario.ts'
import { jsonAnswer } from '../../scenarios/json-answer.ts'

interface BedrockRefusal {
  readonly status: number
  /** Such as `ThrottlingException`, with or without a URL after it. */
  readonly type: string
  readonly message: string
  readonly retryAfterS?: number
}

/** An error before any response, the same for streams and documents. */
export function bedrockRefusal({ status, type, message, retryAfterS }: BedrockRefusal): StepsScenario {
  const headers = { 'x-amzn-errortype': type, 'x-amzn-requestid': 'simulated' }
  const retry = retryAfterS === undefined ? {} : { 'retry-after': String(retryAfterS) }
  return jsonAnswer(status, { message }, { ...headers, ...retry })
}
