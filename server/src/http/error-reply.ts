import type { FastifyReply } from 'fastify'
import { asGatewayError, errorBody, GatewayError } from '#errors/gateway-error.ts'
import { reasonOf } from '#errors/reason-of.ts'
import { malformed } from '#errors/malformed.ts'
import { drainLimitsOf, isBodyUnread, refuseUnread } from './forms/refuse-unread.ts'

const jsonType = 'application/json; charset=utf-8'

/** The only place that turns an error into a response. */
export function replyWithError(
  reply: FastifyReply,
  error: GatewayError,
  body = JSON.stringify(errorBody(error)),
  contentType = jsonType,
): void {
  reply.code(error.row.status).headers(refusalHeaders(error))
  if (contentType !== jsonType) reply.type(contentType)
  if (!isBodyUnread(reply.request.raw)) return void reply.send(body)
  // A body that arrived together with its headers is read by the next turn, so that its connection can be reused.
  setImmediate(() => (isBodyUnread(reply.request.raw) ? replyToUnread(reply, error, body) : reply.send(body)))
}

// Fastify's hooks do not run for responses that it does not send, so their headers are added here.
function replyToUnread(reply: FastifyReply, error: GatewayError, body: string): void {
  const { raw: request, id } = reply.request
  const headers = { ...textsOf(reply.getHeaders()), 'x-request-id': id }
  const limits = drainLimitsOf(request)
  // A sender that is too slow gets no more time.
  const slow = error.errorName === 'bodyTooSlow' ? { ...limits, bytesMax: 0 } : limits
  reply.hijack()
  void refuseUnread({ request, response: reply.raw }, { status: error.row.status, headers, body }, slow)
}

function textsOf(headers: ReturnType<FastifyReply['getHeaders']>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
}

/** The headers of an error response. */
export function refusalHeaders(error: GatewayError): Record<string, string> {
  const headers: Record<string, string> = { 'x-weir-error': reasonOf(error), 'content-type': jsonType }
  if (error.retryAfterS !== undefined) headers['retry-after'] = String(error.retryAfterS)
  if (isRetryUseless(error)) headers['x-should-retry'] = 'false'
  return error.headers === undefined ? headers : Object.assign(headers, error.headers)
}

// Common SDKs retry 409, 429 and 503. If the wait is longer than this, they are told not to retry.
const longWaitS = 300

function isRetryUseless(error: GatewayError): boolean {
  return error.row.tellNotToRetry === true || (error.retryAfterS ?? 0) >= longWaitS
}

const refusedByFastify: Readonly<Record<string, () => GatewayError>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () =>
    new GatewayError('unsupportedMediaType', { message: 'Send the body as application/json.' }),
  FST_ERR_BAD_URL: () => malformed('The path is not a valid URL.'),
  FST_ERR_MAX_PARAM_LENGTH: () => new GatewayError('notFound', { message: 'Not found: the path segment is too long.' }),
}

/** Converts any thrown value to a gateway error. */
export function toGatewayError(error: unknown): GatewayError {
  if (error instanceof GatewayError || !(error instanceof Error)) return asGatewayError(error)
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return refusedByFastify[code]?.() ?? (isClientError(error) ? unreadable(error) : asGatewayError(error))
}

// Fastify marks errors before the handler, such as a client that disconnects during an upload.
function isClientError(error: Error): boolean {
  return 'statusCode' in error && typeof error.statusCode === 'number' && error.statusCode < 500
}

function unreadable(error: Error): GatewayError {
  return new GatewayError('malformedRequest', { message: 'The request could not be read.', inside: error.message })
}
