import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { isHeldBack } from './expect-continue.ts'

/** How much of a rejected body is read and discarded. */
export interface DrainLimits {
  readonly bytesMax: number
  readonly timeoutMs: number
  /**
   * How long a sender of more than that has to notice the response before its connection is reset. Not set means no
   * time.
   */
  readonly lingerMs?: number
}

/** For an unauthenticated sender. */
export const strangerBytesMax = 65_536

/**
 * Responds to a request whose body is still arriving, and closes its connection. Closing with unread bytes would reset
 * it, and a reset overtakes the response; so the response is sent first, and some of the body is read and discarded
 * before the close.
 */
export async function refuseUnread(
  { request, response }: { request: IncomingMessage; response: ServerResponse },
  answer: { status: number; headers: Readonly<Record<string, string>>; body: string },
  limits: DrainLimits,
): Promise<void> {
  const { socket } = request
  closing.add(socket)
  const watch = watchers.get(socket)
  watch?.refused()
  const length = Buffer.byteLength(answer.body)
  response.writeHead(answer.status, { ...answer.headers, 'content-length': length, connection: 'close' })
  response.write(answer.body)
  await drain(request, limits, watch)
  response.end()
}

/** Whether the last response of a connection was sent; later bytes are not parsed as a request. */
export function isClosing(socket: Socket): boolean {
  return closing.has(socket)
}

const closing = new WeakSet<Socket>()

/** Whether part of a request's body is still arriving, so that its connection cannot be reused. */
export function isBodyUnread(request: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers
  return !request.complete && (encoding !== undefined || (length ?? '0') !== '0')
}

/** Sets how much may be drained of an authenticated sender's body. */
export function noteDrain(request: IncomingMessage, bytesMax: number): void {
  drainOf.set(request, bytesMax)
}

export function drainLimitsOf(request: IncomingMessage): DrainLimits {
  const bytesMax = isHeldBack(request) ? 0 : Math.max(drainOf.get(request) ?? 0, strangerBytesMax)
  return { bytesMax, timeoutMs: 5_000, lingerMs: 1_000 }
}

const drainOf = new WeakMap<IncomingMessage, number>()

async function drain(request: IncomingMessage, limits: DrainLimits, watch: UnreadWatch | undefined): Promise<void> {
  if (limits.bytesMax === 0 || request.destroyed) return
  const isTooMuch = await throwAway(request, limits, watch)
  request.pause()
  if (isTooMuch && limits.lingerMs !== undefined) await wait(limits.lingerMs)
}

/**
 * Reads until the end, the limit or the timeout; resolves to whether it reached the limit. It uses only listeners,
 * because in a flood there are thousands.
 */
function throwAway(
  request: IncomingMessage,
  { bytesMax, timeoutMs }: DrainLimits,
  watch: UnreadWatch | undefined,
): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  let byteCount = 0
  let isTooMuch = false
  const stop = (): void => {
    clearTimeout(timer)
    request.off('data', onData).off('end', stop).off('close', stop)
    resolve(isTooMuch)
  }
  const onData = (bytes: Buffer): void => {
    byteCount += bytes.length
    isTooMuch = byteCount > bytesMax || (watch?.mayDrain(bytes.length) === false && byteCount > strangerBytesMax)
    if (isTooMuch) stop()
  }
  const timer = setTimeout(stop, timeoutMs)
  // Node reports a broken connection as an error of the request, and then closes it.
  request.on('data', onData).on('end', stop).on('close', stop).on('error', ignore)
  // The reader that gave up has left the request paused.
  request.resume()
  return promise
}

function ignore(): void {}

/** Limits on a client's requests that are rejected before their body has arrived. */
interface UnreadWatch {
  refused(): void
  /** Counts discarded bytes; returns false if the client has sent too many of them. */
  mayDrain(byteCount: number): boolean
}

/** Watches a connection. A client that has exhausted its allowance is drained only as far as an unauthenticated one. */
export function watchUnread(socket: Socket, watch: UnreadWatch): void {
  watchers.set(socket, watch)
}

const watchers = new WeakMap<Socket, UnreadWatch>()
