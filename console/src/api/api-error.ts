/** A failed request: a message, an error code, and the request id that support asks for. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly requestId: string | null
  /** Seconds to wait before a retry, or null if the server did not say. */
  readonly retryAfter: number | null

  constructor(terms: {
    status: number
    code: string
    message: string
    requestId: string | null
    retryAfter?: number | null
  }) {
    super(terms.message)
    this.name = 'ApiError'
    this.status = terms.status
    this.code = terms.code
    this.requestId = terms.requestId
    this.retryAfter = terms.retryAfter ?? null
  }
}

/** Reads an error response: the gateway sends `{error: {message, code}}`, the sign-in library `{message, code}`. */
export function readRefusal(response: Response, body: unknown): ApiError {
  const outer = asRecord(body)
  const inner = asRecord(outer['error'])
  const message =
    textOf(inner['message']) ??
    textOf(outer['message']) ??
    `The gateway returned an error (${response.status}). Try again.`
  const code = textOf(inner['code']) ?? textOf(outer['code']) ?? String(response.status)
  const retryAfter = Number(response.headers.get('retry-after') ?? 'none')
  return new ApiError({
    status: response.status,
    code,
    message,
    requestId: response.headers.get('x-request-id'),
    retryAfter: Number.isFinite(retryAfter) ? retryAfter : null,
  })
}

/** The error for a request that got no response from the gateway. */
export function offlineError(): ApiError {
  return new ApiError({
    status: 0,
    code: 'offline',
    message: "Can't reach the gateway. Check your connection and try again.",
    requestId: null,
  })
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined
}
