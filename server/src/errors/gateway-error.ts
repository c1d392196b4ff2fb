import { type ErrorName, type ErrorRow, errorCatalogue } from './catalogue.ts'

interface GatewayErrorDetail {
  /** For the client. */
  message: string
  /** For the log, never for the client. */
  inside?: string
  retryAfterS?: number
  /** Additional response headers, such as the rate window of a 429. */
  headers?: Record<string, string>
  /** The limit that bound the request, if the error does not name one: `wallet`, or the kind of a spend limit. */
  boundBy?: string
  /** The reason for programs, if the name of the error says too much. */
  reason?: string
  cause?: unknown
}

/** An error by name. Its status and code come from the catalogue only. */
export class GatewayError extends Error {
  readonly errorName: ErrorName
  readonly row: ErrorRow
  readonly inside: string | undefined
  readonly retryAfterS: number | undefined
  readonly headers: Record<string, string> | undefined
  readonly boundBy: string | undefined
  readonly reason: string | undefined

  constructor(errorName: ErrorName, detail: GatewayErrorDetail) {
    // The error name says what happened. In a flood of errors, stack traces would cost more than the responses.
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
    this.boundBy = detail.boundBy
    this.reason = detail.reason
  }

  /** The same error with other messages. */
  retold(words: { message: string; inside: string; reason?: string }): GatewayError {
    const { retryAfterS, headers, boundBy, cause } = this
    return new GatewayError(this.errorName, {
      ...words,
      ...(retryAfterS === undefined ? {} : { retryAfterS }),
      ...(headers === undefined ? {} : { headers }),
      ...(boundBy === undefined ? {} : { boundBy }),
      cause,
    })
  }
}

/** Converts any thrown value to an error. An unexpected one becomes `internal`, and its text is only logged. */
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

/** The error body of the API contract. */
export function errorBody(error: GatewayError): ErrorBody {
  return { error: { message: error.message, type: error.row.type, code: error.row.code } }
}
