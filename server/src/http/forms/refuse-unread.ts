import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { isHeldBack } from './expect-continue.ts'

/** How much of a body that is refused is read for nothing. */
export interface DrainLimits {
  readonly bytesMax: number
  readonly timeoutMs: number
  /**
   * How long a sender of more than that is left to notice the answer before its connection is reset; unset: not at all.
   */
  readonly lingerMs?: number
}

/** Of a sender who is not known. */
export const strangerBytesMax = 65_536

/**
 * Answers a request whose body is still on its way, and closes its connection. Closing with bytes unread would reset
 * it, and a reset overtakes the answer; so the answer goes first, and some of the body is read and thrown away before
 * the end.
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

/** Whether the last answer of a connection has been given: whatever else comes on it is not read as a request. */
export function isClosing(socket: Socket): boolean {
  return closing.has(socket)
}

const closing = new WeakSet<Socket>()

/** Whether some of a request's body is still on its way, so that its connection cannot be used again. */
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

async function drain(request: IncomingMessage, limits: DrainLimits, watch: UnreadWatch | undefined): Promise<void> {
  if (limits.bytesMax === 0 || request.destroyed) return
  const isTooMuch = await throwAway(request, limits, watch)
  request.pause()
  if (isTooMuch && limits.lingerMs !== undefined) await wait(limits.lingerMs)
}

/**
 * Reads until the end, the limit or the time; tells whether it was the limit. Listeners alone: under a flood there are
 * thousands.
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
  // Node reports a broken connection as an error of the request, and closes it then.
  request.on('data', onData).on('end', stop).on('close', stop).on('error', ignore)
  // The reader that gave up has left it paused.
  request.resume()
  return promise
}

function ignore(): void {}

/** What a client causes by requests that are refused before their body has come. */
interface UnreadWatch {
  refused(): void
  /** Counts bytes that are read for nothing; false where its client has sent too many of them. */
  mayDrain(byteCount: number): boolean
}

/**
 * Has a connection watched. From a client that may drain no more, only as much is read as from an unauthenticated one.
 */
export function watchUnread(socket: Socket, watch: UnreadWatch): void {
  watchers.set(socket, watch)
}

const watchers = new WeakMap<Socket, UnreadWatch>()
