import type { FastifyReply } from 'fastify'
import { asGatewayError, errorBody, GatewayError } from '#errors/gateway-error.ts'

/** The one place where a refusal becomes a response. */
export function replyWithError(
  reply: FastifyReply,
  error: GatewayError,
  body = JSON.stringify(errorBody(error)),
): void {
  reply.code(error.row.status).headers(refusalHeaders(error)).send(body)
}

/** What a refusal says beside its body. */
export function refusalHeaders(error: GatewayError): Record<string, string> {
  return {
    ...error.headers,
    ...(error.retryAfterS === undefined ? {} : { 'retry-after': String(error.retryAfterS) }),
    ...(isRetryUseless(error) ? { 'x-should-retry': 'false' } : {}),
    'content-type': 'application/json; charset=utf-8',
  }
}

// The common SDKs retry 409, 429 and 503 by themselves; where waiting is longer than they would, they are told not to.
const longWaitS = 300

function isRetryUseless(error: GatewayError): boolean {
  return error.row.tellNotToRetry === true || error.row.status === 409 || (error.retryAfterS ?? 0) >= longWaitS
}

const refusedByFastify: Readonly<Record<string, () => GatewayError>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: () => new GatewayError('bodyTooLarge', { message: 'The body is larger than 10 MB.' }),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () =>
    new GatewayError('unsupportedMediaType', { message: 'Send the body as application/json.' }),
  FST_ERR_CTP_EMPTY_JSON_BODY: () => new GatewayError('malformedRequest', { message: 'The body is empty.' }),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    new GatewayError('malformedRequest', { message: 'The body does not have the length its header says.' }),
  FST_ERR_BAD_URL: () => new GatewayError('malformedRequest', { message: 'The path is not a valid URL.' }),
  FST_ERR_MAX_PARAM_LENGTH: () => new GatewayError('notFound', { message: 'There is nothing with so long a name.' }),
}

/** Whatever was thrown, as a refusal of ours. */
export function toGatewayError(error: unknown): GatewayError {
  if (error instanceof GatewayError || !(error instanceof Error)) return asGatewayError(error)
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return refusedByFastify[code]?.() ?? (isOfTheCaller(error) ? unreadable(error) : asGatewayError(error))
}

// Fastify marks what went wrong on the way to us, such as a caller who leaves in the middle of an upload.
function isOfTheCaller(error: Error): boolean {
  return 'statusCode' in error && typeof error.statusCode === 'number' && error.statusCode < 500
}

function unreadable(error: Error): GatewayError {
  return new GatewayError('malformedRequest', { message: 'The request could not be read.', inside: error.message })
}
