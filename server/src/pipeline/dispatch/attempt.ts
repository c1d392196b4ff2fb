import type { Candidate } from '#domain/routing/candidates.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { UpstreamExchange, UpstreamRequest, Upstreams } from '#ports/upstream.ts'
import { readFailure, type UpstreamRefusal } from '#providers/protocols/openai/read-failure.ts'
import type { Answer, AnswerListener, AnswerReader, Ticket } from '../types.ts'

/** How far one try at one upstream came. */
export type AttemptResult =
  /** Substance has arrived; the stream goes on by itself and ends through `onEnd`. */
  | { kind: 'opened' }
  /** The whole answer is here. */
  | { kind: 'complete'; answer: Answer; close: (cost: NanoUsd) => string }
  | { kind: 'refused'; refusal: UpstreamRefusal }
  | { kind: 'failed'; failure: AttemptFailure }
  | { kind: 'abandoned' }

export interface AttemptFailure {
  kind: 'unreachable' | 'timeout' | 'broken' | 'oversize' | 'error' | 'empty'
  message: string
}

/** How a stream ended after it was opened. */
export type StreamEnd =
  | { kind: 'complete'; answer: Answer; close: (cost: NanoUsd) => string }
  | { kind: 'failed'; failure: AttemptFailure }

export interface Attempt {
  readonly result: Promise<AttemptResult>
  readonly status: number | null
  /** The answer, once its usage will not change any more. */
  readonly finalAnswer: Answer | null
  /** Stops it for good; nothing is written afterwards. Gives the answer if its usage was already final. */
  abandon(): Answer | null
}

export interface AttemptInput {
  ticket: Ticket
  candidate: Candidate
  request: UpstreamRequest
  upstreams: Upstreams
  makeReader: (isEventStream: boolean, listener: AnswerListener) => AnswerReader
  /** Called before the first byte of a stream is written. */
  onOpened: () => void
  onEnd: (end: StreamEnd) => void
  onOutput: (tokens: number) => void
}

const refusalBytesMax = 65_536

/** Opens an exchange and feeds its reader, with back-pressure from the caller's connection to the upstream's. */
export function startAttempt(input: AttemptInput): Attempt {
  const { caller } = input.ticket.arrival
  const { stream } = input.ticket.plan.call
  let state: 'waiting' | 'open' | 'over' = 'waiting'
  let status: number | null = null
  let responseHeaders: Readonly<Record<string, string | string[] | undefined>> = {}
  let reader: AnswerReader | null = null
  // Null while it is being opened: it may fail even then.
  let exchange: UpstreamExchange | null = null
  const refusalParts: Buffer[] = []
  let refusalBytes = 0
  const { promise: result, resolve } = Promise.withResolvers<AttemptResult>()

  const listener: AnswerListener = {
    opened: () => {
      if (state !== 'waiting') return
      state = 'open'
      if (!stream) return
      input.onOpened()
      resolve({ kind: 'opened' })
    },
    bytes: (bytes) => {
      if (state !== 'open' || caller.write(bytes)) return
      exchange?.pause()
      caller.onDrain(() => exchange?.resume())
    },
    done: (answer, close) => {
      if (state === 'over') return
      state = 'over'
      if (stream) input.onEnd({ kind: 'complete', answer, close })
      else resolve({ kind: 'complete', answer, close })
    },
    failed: (failure) => fail(failure),
  }

  function fail(failure: AttemptFailure): void {
    if (state === 'over') return
    const wasOpen = state === 'open'
    state = 'over'
    exchange?.abort()
    if (wasOpen && stream) input.onEnd({ kind: 'failed', failure })
    else resolve({ kind: 'failed', failure })
  }

  function takeRefusal(bytes: Buffer): void {
    refusalBytes += bytes.length
    if (refusalBytes <= refusalBytesMax) refusalParts.push(bytes)
  }

  // Everything has come but the formal end: breaking off now takes nothing from the answer or its bill.
  function breakOff(failure: AttemptFailure): void {
    const isWhole = state === 'open' && typeof reader?.finalAnswer?.finishReason === 'string'
    if (isWhole) reader?.end()
    else fail(failure)
  }

  exchange = input.upstreams.open(input.request, {
    headers: (code, headers) => {
      status = code
      responseHeaders = headers
      if (code < 200 || code > 299) return
      const contentType = String(headers['content-type'] ?? '')
      reader = input.makeReader(contentType.startsWith('text/event-stream'), listener)
    },
    data: (bytes) => {
      if (state === 'over') return
      if (reader === null) return takeRefusal(bytes)
      reader.data(bytes)
      if (stream) input.onOutput(reader.outputTokensEstimate)
    },
    end: () => {
      if (state === 'over') return
      if (reader !== null) return reader.end()
      state = 'over'
      const text = Buffer.concat(refusalParts).toString('utf8')
      resolve({ kind: 'refused', refusal: readFailure(status ?? 0, responseHeaders, text) })
    },
    failed: breakOff,
  })

  return {
    result,
    get status() {
      return status
    },
    get finalAnswer() {
      return reader?.finalAnswer ?? null
    },
    abandon: () => {
      const final = reader?.finalAnswer ?? null
      if (state !== 'over') {
        state = 'over'
        exchange?.abort()
        resolve({ kind: 'abandoned' })
      }
      return final
    },
  }
}
