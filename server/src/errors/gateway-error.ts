import { type ErrorName, type ErrorRow, errorCatalogue } from './catalogue.ts'

interface GatewayErrorDetail {
  /** For the client. */
  message: string
  /** For us: goes to the log, never to the client. */
  inside?: string
  retryAfterS?: number
  /** Additional response headers, such as the rate window of a 429. */
  headers?: Record<string, string>
  cause?: unknown
}

/** A refusal by name. Its status and code are looked up in the catalogue, nowhere else. */
export class GatewayError extends Error {
  readonly errorName: ErrorName
  readonly row: ErrorRow
  readonly inside: string | undefined
  readonly retryAfterS: number | undefined
  readonly headers: Record<string, string> | undefined

  constructor(errorName: ErrorName, detail: GatewayErrorDetail) {
    // A refusal says by its name what happened. Under a flood of refusals their stacks would cost more than their
    // answers.
    const { stackTraceLimit } = Error
    if (errorName !== 'internal') Error.stackTraceLimit = 0
    super(detail.message, { cause: detail.cause })
    Error.stackTraceLimit = stackTraceLimit
    this.name = 'GatewayError'
    this.errorName = errorName
    this.row = errorCatalogue[errorName]
    this.inside = detail.inside
    this.retryAfterS = detail.retryAfterS
    this.headers = detail.headers
  }

  /** The same refusal in other words. */
  retold(words: { message: string; inside: string }): GatewayError {
    const { retryAfterS, headers, cause } = this
    return new GatewayError(this.errorName, {
      ...words,
      ...(retryAfterS === undefined ? {} : { retryAfterS }),
      ...(headers === undefined ? {} : { headers }),
      cause,
    })
  }
}

/** Any thrown value as a refusal; what we did not foresee is `internal`, with its text kept inside. */
export function asGatewayError(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error
  return new GatewayError('internal', {
    message:
      'Internal gateway error. This request was not charged. Retry; if it persists, contact support with the X-Request-Id.',
    inside: error instanceof Error ? (error.stack ?? error.message) : String(error),
    cause: error,
  })
}

export interface ErrorBody {
  error: { message: string; type: string; code: string | number }
}

/** The contract's envelope. */
export function errorBody(error: GatewayError): ErrorBody {
  return { error: { message: error.message, type: error.row.type, code: error.row.code } }
}
