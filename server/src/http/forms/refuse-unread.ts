import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { finished } from 'node:stream/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { isHeldBack } from './expect-continue.ts'

/** How much of a body that is refused is read for nothing. */
export interface DrainLimits {
  readonly bytesMax: number
  readonly timeoutMs: number
  /** How long a sender of more than that is left to notice the answer before its connection is reset; unset: not at all. */
  readonly lingerMs?: number
}

/** Of a sender who is not known. */
export const strangerBytesMax = 65_536

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

/** Whether some of a request's body is still on its way, so that its connection can not be used again. */
export function isBodyUnread(request: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers
  return !request.complete && (encoding !== undefined || (length ?? '0') !== '0')
}

/** Says how much may be drained of a body whose sender is known. */
export function noteDrain(request: IncomingMessage, bytesMax: number): void {
  drainOf.set(request, bytesMax)
}

export function drainLimitsOf(request: IncomingMessage): DrainLimits {
  const bytesMax = isHeldBack(request) ? 0 : Math.max(drainOf.get(request) ?? 0, strangerBytesMax)
  return { bytesMax, timeoutMs: 5_000, lingerMs: 1_000 }
}

const drainOf = new WeakMap<IncomingMessage, number>()

async function drain(request: IncomingMessage, { bytesMax, timeoutMs, lingerMs }: DrainLimits): Promise<void> {
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
  if (byteCount > bytesMax && lingerMs !== undefined) await wait(lingerMs)
}
