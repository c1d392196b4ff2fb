import type { StepsScenario } from '../scenario.ts'
import type { ErrorCause, ErrorDetails, VendorName } from '../vendors/vendor-style.ts'
import { vendorStyles } from '../vendors/vendor-styles.ts'
import { jsonAnswer } from './json-answer.ts'

/** An error before any stream: the vendor's status, headers and body for this cause. */
export function vendorError(
  vendor: VendorName,
  cause: ErrorCause,
  overrides: Partial<ErrorDetails> & { headers?: Record<string, string> } = {},
): StepsScenario {
  const style = vendorStyles[vendor]
  const { headers, ...rest } = overrides
  const details = { ...causes[cause], ...style.errors[cause], ...rest }
  const hints = cause === 'rate-limited' ? style.rateLimitHeaders : {}
  return jsonAnswer(details.status, style.errorBody(details), { ...style.headers, ...hints, ...headers })
}

const causes: Record<ErrorCause, ErrorDetails> = {
  'rate-limited': {
    status: 429,
    message: 'Rate limit reached for requests. Please try again in 1.2s.',
    type: 'requests',
    param: null,
    code: 'rate_limit_exceeded',
  },
  'insufficient-quota': {
    status: 429,
    message: 'You exceeded your current quota, please check your plan and billing details.',
    type: 'insufficient_quota',
    param: null,
    code: 'insufficient_quota',
  },
  'invalid-key': {
    status: 401,
    message: 'Incorrect API key provided: sk-…abcd.',
    type: 'invalid_request_error',
    param: null,
    code: 'invalid_api_key',
  },
  'model-not-found': {
    status: 404,
    message: 'The model `x` does not exist or you do not have access to it.',
    type: 'invalid_request_error',
    param: null,
    code: 'model_not_found',
  },
  'context-too-long': {
    status: 400,
    message: "This model's maximum context length is 128000 tokens. Your messages resulted in 200000 tokens.",
    type: 'invalid_request_error',
    param: 'messages',
    code: 'context_length_exceeded',
  },
  'unsupported-parameter': {
    status: 400,
    message:
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    type: 'invalid_request_error',
    param: 'max_tokens',
    code: 'unsupported_parameter',
  },
  'prompt-blocked': {
    status: 400,
    message: 'Your request was rejected by our safety system.',
    type: 'invalid_request_error',
    param: null,
    code: 'content_policy_violation',
  },
  overloaded: {
    status: 503,
    message: 'The engine is currently overloaded, please try again later.',
    type: 'server_error',
    param: null,
    code: null,
  },
  'server-error': {
    status: 500,
    message: 'The server had an error while processing your request.',
    type: 'server_error',
    param: null,
    code: null,
  },
}
