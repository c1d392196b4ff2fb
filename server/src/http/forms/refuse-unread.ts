import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { finished } from 'node:stream/promises'

/** How much of a body that is refused is read for nothing. */
export interface DrainLimits {
  readonly bytesMax: number
  readonly timeoutMs: number
}

/**
 * Answers a request whose body is still on its way, and closes its connection. Closing with bytes unread would reset it, and a
 * reset overtakes the answer; so the answer goes first, and some of the body is read and thrown away before the end.
 */
export async function refuseUnread(
  { request, response }: { request: IncomingMessage; response: ServerResponse },
  answer: { status: number; headers: Readonly<Record<string, string>>; body: string },
  limits: DrainLimits,
): Promise<void> {
  const { socket } = request
  closing.add(socket)
  const length = Buffer.byteLength(answer.body)
  response.writeHead(answer.status, { ...answer.headers, 'content-length': length, connection: 'close' })
  response.write(answer.body)
  await drain(request, limits)
  response.end()
}

/** Whether the last answer of a connection has been given: whatever else comes on it is not read as a request. */
export function isClosing(socket: Socket): boolean {
  return closing.has(socket)
}

const closing = new WeakSet<Socket>()

async function drain(request: IncomingMessage, { bytesMax, timeoutMs }: DrainLimits): Promise<void> {
  if (bytesMax === 0 || request.destroyed) return
  const stop = new AbortController()
  const timer = setTimeout(() => stop.abort(), timeoutMs)
  let byteCount = 0
  request.on('data', (bytes: Buffer) => {
    byteCount += bytes.length
    if (byteCount > bytesMax) stop.abort()
  })
  // Whoever gave up reading it has left it paused.
  request.resume()
  await finished(request, { signal: stop.signal, writable: false }).catch(() => {})
  clearTimeout(timer)
  request.pause()
}
