import type { StepsScenario } from '../../scenario.ts'
import { jsonAnswer } from '../../scenarios/json-answer.ts'
import { messageHeaders } from './message-fields.ts'

/** An error before any stream: Anthropic's status, headers and body for this cause. */
export function anthropicError(cause: AnthropicCause): StepsScenario {
  const { status, type, message, headers }: AnthropicFailure = anthropicCauses[cause]
  const body = { type: 'error', error: { type, message }, request_id: messageHeaders['request-id'] }
  return jsonAnswer(status, body, { ...messageHeaders, ...headers })
}

interface AnthropicFailure {
  status: number
  type: string
  message: string
  headers?: Record<string, string>
}

export type AnthropicCause = keyof typeof anthropicCauses

const anthropicCauses = {
  'rate-limited': {
    status: 429,
    type: 'rate_limit_error',
    message: 'This request would exceed your rate limit of 50 requests per minute.',
    headers: { 'retry-after': '2' },
  },
  overloaded: { status: 529, type: 'overloaded_error', message: 'Overloaded', headers: { 'x-should-retry': 'true' } },
  'server-error': { status: 500, type: 'api_error', message: 'Internal server error' },
  'timed-out': { status: 504, type: 'timeout_error', message: 'Request timed out' },
  billing: { status: 402, type: 'billing_error', message: 'Your account has a billing problem.' },
  'no-credit': {
    status: 400,
    type: 'invalid_request_error',
    message: 'Your credit balance is too low to access the Anthropic API.',
  },
  'invalid-key': { status: 401, type: 'authentication_error', message: 'invalid x-api-key' },
  forbidden: { status: 403, type: 'permission_error', message: 'Your key may not use this resource.' },
  'model-not-found': { status: 404, type: 'not_found_error', message: 'model: claude-x' },
  'too-large': { status: 413, type: 'request_too_large', message: 'Request exceeds the maximum size' },
  'context-too-long': {
    status: 400,
    type: 'invalid_request_error',
    message: 'prompt is too long: 210000 tokens > 200000 maximum',
  },
  'cap-too-high': {
    status: 400,
    type: 'invalid_request_error',
    message: 'max_tokens: 99999 > 64000, which is the maximum allowed number of output tokens for claude-x',
  },
  'output-filtered': {
    status: 400,
    type: 'invalid_request_error',
    message: 'Output blocked by content filtering policy',
  },
  'unknown-field': { status: 400, type: 'invalid_request_error', message: 'foo: Extra inputs are not permitted' },
  'bad-request': { status: 400, type: 'invalid_request_error', message: 'max_tokens: Field required' },
} as const satisfies Record<string, AnthropicFailure>
