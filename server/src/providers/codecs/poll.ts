import type { JsonObject } from '#lib/json.ts'
import { type Exchange, type MediaRequest, pause, send, type Step, type StepOutcome } from './exchange-script.ts'
import { UnusableAnswerError } from './faults.ts'
import { jsonOf, type ReadFailure } from './media-request.ts'

interface Poll<Value> {
  readonly request: MediaRequest
  /** Undefined while the task runs. Throws if it failed. Unknown states count as running. */
  readonly read: (answer: JsonObject) => Value | undefined
  readonly readFailure: ReadFailure
}

/** Polls until a task ends. A paid task is not abandoned because one poll failed. */
export function* poll<Value>({ request, read, readFailure }: Poll<Value>): Generator<Step, Value, StepOutcome> {
  let pauseMs = pauseMsFirst
  let faultsLeft = faultsMax
  for (let count = 0; count < pollsMax; count += 1) {
    yield* pause(pauseMs)
    const exchange = yield* send(request)
    const askedToWaitMs = waitAfter(exchange, readFailure)
    if (askedToWaitMs !== null && faultsLeft > 0) {
      faultsLeft -= 1
      pauseMs = Math.max(pauseMsMax, Math.min(askedToWaitMs, askedToWaitMsMax))
      continue
    }
    const value = read(jsonOf(exchange, readFailure))
    if (value !== undefined) return value
    faultsLeft = faultsMax
    pauseMs = Math.min(pauseMs * pauseGrowth, pauseMsMax)
  }
  throw new UnusableAnswerError('The upstream did not finish the task in time.')
}

const pauseMsFirst = 500
const pauseGrowth = 1.5
const pauseMsMax = 2_000
const askedToWaitMsMax = 10_000
const faultsMax = 5
// At 2 s per poll this is longer than any request may take; the request has its own deadline.
const pollsMax = 1_800

/** How long to wait for an upstream that may still succeed, or null if it has responded. */
function waitAfter({ status, headers, body }: Exchange, readFailure: ReadFailure): number | null {
  if (status < 400) return null
  const { action, retryAfterMs } = readFailure(status, headers, body.toString('utf8', 0, 4_096))
  return action === 'retry' ? (retryAfterMs ?? 0) : null
}
