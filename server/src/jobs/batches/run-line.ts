import type { Principal } from '#domain/access/principal.ts'
import type { LineAnswer } from '#domain/batches/batch.ts'
import { onOneLine } from '#domain/batches/line-answer.ts'
import { parseGenerationId } from '#domain/ledger/generation-id.ts'
import { publicRequestId } from '#domain/ledger/request-id.ts'
import type { ErrorName } from '#errors/catalogue.ts'
import { asGatewayError, GatewayError } from '#errors/gateway-error.ts'
import { assert } from '#lib/assert.ts'
import { refuseCredential, refuseEnded } from '#pipeline/authenticate/authenticate.ts'
import { unauthenticated } from '#pipeline/authenticate/unauthenticated.ts'
import { run, type Stages } from '#pipeline/run.ts'
import { type LineRequest, lineArrival } from './line-arrival.ts'

/** Either the answer, or how long to wait before the line runs again. */
export type LineEnd =
  | { readonly kind: 'answered'; readonly answer: LineAnswer }
  | { readonly kind: 'later'; readonly afterMs: number }

/** The line can succeed later, and was not charged. */
const passing: ReadonlySet<ErrorName> = new Set([
  'rateLimited',
  'penaltyBlocked',
  'spendBreakerTripped',
  'brakeEngaged',
  'draining',
  'overloaded',
  'moderationUnavailable',
  'notReady',
  'storeUnavailable',
  'upstreamRateLimited',
  'noUpstream',
])

const usualWaitMs = 5_000
// Within this time a batch notices that it was cancelled, or that the kill switch was released.
const waitMaxMs = 60_000

/**
 * Runs one line as an ordinary request of its batch's key. `principal` is null once the key no longer works. Lines wait
 * for what passes, such as a rate limit, where a client would get an error.
 */
export async function runLine(stages: Stages, request: LineRequest, principal: Principal | null): Promise<LineEnd> {
  const arrival = lineArrival(request)
  const ofBatch: Stages = {
    ...stages,
    authenticate: () => {
      const working = workingKey(principal, arrival.receivedAtMs)
      refuseCredential(arrival.access, working)
      return working
    },
    noteRefusal: (refused, sender, error) => {
      if (!isPassing(error)) stages.noteRefusal(refused, sender, error)
    },
  }
  try {
    const reply = await run(ofBatch, arrival)
    assert(reply.kind === 'document', 'lines do not stream')
    const { status = 200, headers, body } = reply
    return { kind: 'answered', answer: { status, requestId: requestIdOf(headers), body: onOneLine(body) } }
  } catch (error) {
    if (isPassing(error)) {
      const { retryAfterS } = error
      const askedMs = retryAfterS === undefined ? usualWaitMs : retryAfterS * 1_000
      return { kind: 'later', afterMs: Math.min(askedMs, waitMaxMs) }
    }
    const refusal = asGatewayError(error)
    const requestId = requestIdOf(arrival.replyHeaders)
    const body = onOneLine(request.endpoint.dialect.errorBody(refusal, requestId))
    return { kind: 'answered', answer: { status: refusal.row.status, requestId, body } }
  }
}

/** The key of a batch, which is judged for each line as for each request. */
export function workingKey(principal: Principal | null, nowMs: number): Principal {
  if (principal === null) throw unauthenticated('the key of the batch no longer works')
  refuseEnded(principal, nowMs)
  return principal
}

function isPassing(error: unknown): error is GatewayError {
  return error instanceof GatewayError && passing.has(error.errorName)
}

/** A stored answer has the id of the request that was charged. */
function requestIdOf(headers: Readonly<Record<string, string>>): string {
  const id = parseGenerationId(headers['x-generation-id'] ?? '')
  return id === undefined ? (headers['x-request-id'] ?? '') : publicRequestId(id)
}
