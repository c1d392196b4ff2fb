import type { StepsScenario } from '../../scenario.ts'
import { jsonAnswer } from '../../scenarios/json-answer.ts'
import { vendorError } from '../../scenarios/vendor-error.ts'
import type { ErrorCause } from '../../vendors/vendor-style.ts'

/** An error before any stream. OpenAI formats it as in chat; some errors only occur in Responses. */
export function responsesError(cause: ErrorCause | ResponsesCause): StepsScenario {
  if (cause in own) return jsonAnswer(400, { error: own[cause as ResponsesCause] })
  return vendorError('openai', cause as ErrorCause)
}

type ResponsesCause = keyof typeof own

const own = {
  'foreign-thought': {
    message: 'The encrypted content gAAA... could not be verified.',
    type: 'invalid_request_error',
    param: null,
    code: 'invalid_encrypted_content',
  },
  'cap-too-low': {
    message: "Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16, but got 5 instead.",
    type: 'invalid_request_error',
    param: 'max_output_tokens',
    code: 'integer_below_min_value',
  },
} as const
