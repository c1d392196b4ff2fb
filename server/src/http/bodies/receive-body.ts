import type { IncomingMessage } from 'node:http'
import { GatewayError } from '#errors/gateway-error.ts'
import type { Timer, Timers } from '#lib/timers.ts'
import { WholeBody } from '#lib/whole-body.ts'
import type { BodyAccount, BodyBudget } from './body-budget.ts'

/** How fast a body must arrive: judged once in each window, over that window alone. */
interface Pace {
  readonly bytesPerSecondMin: number
  readonly windowMs: number
}

export interface ReceiveDeps {
  readonly budget: BodyBudget
  readonly pace: Pace
  readonly timers: Timers
}

export interface ReceivedBody {
  readonly bytes: Buffer
  /** The bytes are parsed: they no longer count against the budget. */
  release(): void
}

export interface ReceiveTerms {
  readonly bytesMax: number
  readonly addressOf: () => string
  /** Throws where the first bytes of a large body already say that it is refused, so that the others are not kept. */
  readonly assertBegin?: (bytes: Buffer) => void
}

/** So much of a body is judged before the rest comes: enough for any count of values that is too many. */
const beginBytes = 262_144

/**
 * Reads a body whole. A body that comes in one piece, as nearly all do, is parsed at once and needs no account. A body
 * that is given up leaves its connection open, so that its sender can still be answered.
 */
export function receiveBody(
  request: IncomingMessage,
  { bytesMax, addressOf, assertBegin }: ReceiveTerms,
  deps: ReceiveDeps,
): Promise<ReceivedBody> {
  const length = Number(request.headers['content-length'])
  if (length > bytesMax) return Promise.reject(tooLarge(bytesMax))
  const { promise, resolve, reject } = Promise.withResolvers<ReceivedBody>()
  const whole = new WholeBody(bytesMax)
  let byteCount = 0
  let account: BodyAccount | null = null
  let pace: PaceWatch | null = null
  const stopListening = (): void => {
    pace?.stop()
    request.off('data', onData).off('end', onEnd).off('close', onLost).off('error', onLost)
  }
  const giveUp = (error: unknown): void => {
    stopListening()
    request.pause()
    account?.close()
    whole.letGo()
    // Node reports a broken connection as an error of the request; it has been answered already.
    request.on('error', () => {})
    reject(error)
  }
  const onData = (bytes: Buffer): void => {
    const isBegin = byteCount < beginBytes && byteCount + bytes.length >= beginBytes
    byteCount += bytes.length
    if (!whole.add(bytes)) return giveUp(tooLarge(bytesMax))
    if (account === null && byteCount === length) return
    try {
      account ??= deps.budget.open(addressOf())
      account.add(bytes.length)
      if (isBegin && byteCount !== length) assertBegin?.(whole.look())
    } catch (error) {
      giveUp(error)
    }
  }
  const onEnd = (): void => {
    stopListening()
    resolve({ bytes: whole.take(), release: () => account?.close() })
  }
  const onLost = (error?: Error): void => giveUp(lost(error))
  // A connection that has closed takes along what had come of the body.
  if (request.destroyed) return Promise.reject(lost())
  if (!request.complete) pace = new PaceWatch(deps, () => byteCount, giveUp)
  request.on('data', onData).on('end', onEnd).on('close', onLost).on('error', onLost)
  request.resume()
  return promise
}

/** Gives up a body of which too little came in one window. */
class PaceWatch {
  readonly #deps: Pick<ReceiveDeps, 'pace' | 'timers'>
  readonly #byteCount: () => number
  readonly #giveUp: (error: GatewayError) => void
  #timer: Timer | null = null
  #isStopped = false

  constructor(
    deps: Pick<ReceiveDeps, 'pace' | 'timers'>,
    byteCount: () => number,
    giveUp: (error: GatewayError) => void,
  ) {
    this.#deps = deps
    this.#byteCount = byteCount
    this.#giveUp = giveUp
    this.#watchWindow()
  }

  stop(): void {
    this.#isStopped = true
    this.#timer?.cancel()
  }

  #watchWindow(): void {
    const before = this.#byteCount()
    const { pace, timers } = this.#deps
    // Bytes that came while the event loop was busy get one turn to be read before they are counted.
    this.#timer = timers.after(pace.windowMs, () => setImmediate(() => this.#judge(before)))
    this.#timer.unref()
  }

  #judge(before: number): void {
    if (this.#isStopped) return
    const { bytesPerSecondMin, windowMs } = this.#deps.pace
    if (this.#byteCount() - before >= (bytesPerSecondMin * windowMs) / 1_000) return this.#watchWindow()
    this.#giveUp(new GatewayError('bodyTooSlow', { message: 'The request body arrived too slowly.' }))
  }
}

function tooLarge(bytesMax: number): GatewayError {
  return new GatewayError('bodyTooLarge', { message: `The request body is larger than ${sizeText(bytesMax)}.` })
}

function sizeText(bytes: number): string {
  return bytes >= 1_048_576 ? `${Math.floor(bytes / 1_048_576)} MB` : `${Math.floor(bytes / 1_024)} KB`
}

function lost(error?: Error): GatewayError {
  const inside = error?.message ?? 'the connection closed before the body was complete'
  return new GatewayError('malformedRequest', { message: 'The request could not be read.', inside })
}
