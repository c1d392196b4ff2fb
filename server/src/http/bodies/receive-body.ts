import type { IncomingMessage } from 'node:http'
import { GatewayError } from '#errors/gateway-error.ts'
import type { Timer, Timers } from '#lib/timers.ts'
import { WholeBody } from '#lib/whole-body.ts'
import type { BodyAccount, BodyBudget } from './body-budget.ts'

/** The minimum speed of a body, checked once per window, over that window alone. */
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
  /** The bytes are parsed and no longer count against the budget. */
  release(): void
}

export interface ReceiveTerms {
  readonly bytesMax: number
  readonly addressOf: () => string
  /** Throws if the first bytes of a large body are already invalid, so that the rest is not stored. */
  readonly assertBegin?: (bytes: Buffer) => void
}

/** The part of a body that is checked before the rest arrives: enough to detect too many values. */
const beginBytes = 262_144

/**
 * Reads a whole body. A body that arrives in one piece, as most do, is parsed at once and needs no account. A rejected
 * body leaves its connection open, so that its sender still gets the response.
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
    // Node reports a broken connection as an error of the request, which was already answered.
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
  // A closed connection has discarded the received part of the body.
  if (request.destroyed) return Promise.reject(lost())
  if (!request.complete) pace = new PaceWatch(deps, () => byteCount, giveUp)
  request.on('data', onData).on('end', onEnd).on('close', onLost).on('error', onLost)
  request.resume()
  return promise
}

/** Rejects a body that sends too little in one window. */
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
    // Bytes that arrived while the event loop was busy get one turn to be read before they are counted.
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
