import type { Socket } from 'node:net'
import type { ErrorBody } from '#errors/gateway-error.ts'

/** Responds to invalid or late HTTP, and closes: such a connection cannot carry another request. */
export function refuseMalformedHttp(error: NodeJS.ErrnoException, socket: Socket): void {
  // If the connection was already written to, the bytes could end up in the middle of another response.
  if (error.code !== 'ECONNRESET' && socket.writable && socket.bytesWritten === 0) {
    socket.write(rawAnswer(refusals.get(error.code ?? '') ?? malformed))
  }
  socket.destroy()
}

interface Refusal {
  status: number
  reason: string
  message: string
  headers?: readonly string[]
}

const malformed: Refusal = { status: 400, reason: 'Bad Request', message: 'This is not a valid HTTP request.' }

const refusals: ReadonlyMap<string, Refusal> = new Map([
  [
    'HPE_HEADER_OVERFLOW',
    { status: 431, reason: 'Request Header Fields Too Large', message: 'The request headers are too large.' },
  ],
  [
    'ERR_HTTP_REQUEST_TIMEOUT',
    { status: 408, reason: 'Request Timeout', message: 'The request did not arrive in time.' },
  ],
])

/** A response for a connection without a request. */
export function rawAnswer({ status, reason, message, headers = [] }: Refusal): string {
  const type = status >= 500 ? 'service_unavailable' : 'invalid_request_error'
  const body: ErrorBody = { error: { message, type, code: status } }
  const text = JSON.stringify(body)
  const head = [
    `HTTP/1.1 ${status} ${reason}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(text)}`,
    'access-control-allow-origin: *',
    'connection: close',
    ...headers,
  ]
  return `${head.join('\r\n')}\r\n\r\n${text}`
}
