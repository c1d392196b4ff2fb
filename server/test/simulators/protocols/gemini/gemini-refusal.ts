import type { JsonObject, JsonValue } from '../../json-value.ts'
import type { StepsScenario } from '../../scenario.ts'
import { jsonAnswer } from '../../scenarios/json-answer.ts'

export const geminiRefusalCauses = [
  'rate-limited',
  'daily-quota',
  'exhausted',
  'no-credits',
  'overloaded',
  'internal',
  'invalid-key',
  'permission-denied',
  'unserved-region',
  'model-not-found',
  'context-too-long',
  'bad-argument',
] as const
export type GeminiRefusalCause = (typeof geminiRefusalCauses)[number]

/** Google's error before a stream; `array` wraps it, as without `alt=sse`. */
export function geminiRefusal(cause: GeminiRefusalCause, form: 'object' | 'array' = 'object'): StepsScenario {
  const error = refusals[cause]
  const body: JsonValue = form === 'array' ? [{ error }] : { error }
  return jsonAnswer(Number(error.code), body)
}

const quotaMessage = 'You exceeded your current quota, please check your plan and billing details.'

function quota(quotaId: string, retryDelay: string): JsonObject[] {
  return [
    { '@type': 'type.googleapis.com/google.rpc.QuotaFailure', violations: [{ quotaMetric: 'requests', quotaId }] },
    { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay },
  ]
}

function errorInfo(reason: string): JsonObject[] {
  return [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason, domain: 'googleapis.com' }]
}

const refusals: Readonly<Record<GeminiRefusalCause, JsonObject>> = {
  'rate-limited': {
    code: 429,
    message: quotaMessage,
    status: 'RESOURCE_EXHAUSTED',
    details: quota('GenerateRequestsPerMinutePerProjectPerModel', '34.4s'),
  },
  'daily-quota': {
    code: 429,
    message: quotaMessage,
    status: 'RESOURCE_EXHAUSTED',
    details: quota('GenerateRequestsPerDayPerProjectPerModel', '39600s'),
  },
  exhausted: { code: 429, message: 'Resource exhausted. Please try again later.', status: 'RESOURCE_EXHAUSTED' },
  'no-credits': {
    code: 429,
    message: 'You have run out of credits. Manage your billing to go on.',
    status: 'RESOURCE_EXHAUSTED',
  },
  overloaded: { code: 503, message: 'The model is overloaded. Please try again later.', status: 'UNAVAILABLE' },
  internal: { code: 500, message: 'An internal error has occurred.', status: 'INTERNAL' },
  'invalid-key': {
    code: 400,
    message: 'API key expired. Please renew the API key.',
    status: 'INVALID_ARGUMENT',
    details: errorInfo('API_KEY_INVALID'),
  },
  'permission-denied': { code: 403, message: 'The caller lacks permission.', status: 'PERMISSION_DENIED' },
  'unserved-region': {
    code: 400,
    message: 'User location is not supported for the API use.',
    status: 'FAILED_PRECONDITION',
  },
  'model-not-found': { code: 404, message: 'models/gemini-y is not found.', status: 'NOT_FOUND' },
  'context-too-long': {
    code: 400,
    message: 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
    status: 'INVALID_ARGUMENT',
  },
  'bad-argument': { code: 400, message: 'Unable to process input image.', status: 'INVALID_ARGUMENT' },
}
