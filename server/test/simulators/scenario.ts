import type { VendorName } from './vendors/vendor-style.ts'
import type { Wire } from './wire.ts'

/**
 * A simulator's behaviour for one request. A scenario is a plain value, so that a drill can send it as JSON to a
 * simulator in another process.
 *
 * - `steps`: exactly these steps, in this order.
 * - `by-request`: `stream` when the body says `stream: true`, otherwise `json`.
 * - `by-mark`: that whose mark is in the body, so that many calls at once are told apart; an echo where none is.
 * - `echo`: an answer computed from the request, see `answer-by-itself.ts`.
 * - `fast`: prebuilt bytes for load tests, see `fast-answer.ts`.
 * - `reset-on-accept`: the connection is reset before any request is read. Only `play` can use it,
 *   because a queue is consumed by requests and here there is none.
 */
export type Scenario =
  | StepsScenario
  | { kind: 'by-request'; stream: Scenario; json: Scenario }
  | { kind: 'by-mark'; marks: Readonly<Record<string, Scenario>> }
  | EchoScenario
  | FastScenario
  | { kind: 'reset-on-accept' }

export interface StepsScenario {
  kind: 'steps'
  steps: Step[]
  wire?: Wire
}

export interface EchoScenario {
  kind: 'echo'
  vendor?: VendorName
  wire?: Wire
}

export interface FastScenario {
  kind: 'fast'
  /** Content chunks of a streamed response. */
  chunks: number
  /** The delay before the first byte of either kind of response; 0 by default. */
  firstByteDelayMs?: number
  /** The delay between the chunks of a stream; by default all frames are sent in one write. */
  chunkDelayMs?: number
}

export type Step =
  | { do: 'head'; status: number; headers: Record<string, string> }
  | { do: 'write'; text: string }
  | { do: 'bytes'; base64: string }
  | { do: 'wait'; delayMs: number }
  /** Waits until `release(name)`; a released gate stays open until `forget()`. */
  | { do: 'gate'; name: string }
  /** An unrequested `HTTP/1.1 100 Continue`. */
  | { do: 'continue' }
  /** Bytes directly to the socket, bypassing the HTTP writer: for responses that are not HTTP. */
  | { do: 'raw'; text: string }
  | { do: 'end' }
  /** TCP RST. */
  | { do: 'reset' }
  /** TCP FIN without the end of the HTTP body. */
  | { do: 'close' }
  /** Never continues; ends only when the peer closes. */
  | { do: 'stall' }
