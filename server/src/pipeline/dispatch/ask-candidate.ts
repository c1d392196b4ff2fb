import type { Candidate } from '#domain/routing/candidates.ts'
import { errorCatalogue } from '#errors/catalogue.ts'
import type { RefundReason } from '#domain/ledger/generation-record.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { Eventually } from '#lib/eventually.ts'
import { publicText } from '#lib/public-text.ts'
import type { Reply, Ticket } from '../types.ts'
import { type FailedTry, nameOfFailure, wordFor } from './conclude-failures.ts'
import type { DispatchDeps } from './dispatch-deps.ts'
import type { LegResult, ServedResult } from './served-result.ts'
import type { Leg } from './leg.ts'
import type { Serving } from './serving.ts'

/** A request that is being served, and its failures so far. */
export interface ServedRequest {
  readonly ticket: Ticket
  readonly serving: Serving
  readonly tries: FailedTry[]
}

/** Two candidates that are called at once: if one rejects the request, the other may still answer. */
export interface Race {
  /** The first refusal that would have ended the request. */
  gaveUp: { readonly error: GatewayError; readonly reason: RefundReason; readonly leg: Leg } | null
}

type Refused = ServedResult & { kind: 'refused' }

// A provider that has changed may reject several fields, and names one at a time.
const timesMax = 3

/**
 * Asks one candidate. Null if another candidate may be asked. If the candidate rejects a field that the gateway added,
 * it is asked once more without the field.
 */
export async function askCandidate(
  deps: DispatchDeps,
  candidate: Candidate,
  request: ServedRequest,
  race?: Race,
): Promise<Reply | null> {
  const { ticket, serving, tries } = request
  const refused: string[] = []
  while (refused.length < timesMax) {
    const leg = serving.legTo(candidate)
    const result = await leg.serve()
    const field = isFinal(result)
      ? deps.refusedFields.note(ticket, candidate, { refusal: result.refusal, body: leg.sentBody })
      : undefined
    if (field === undefined) return hear(deps, leg, result, request, race)
    if (refused.includes(field)) break
    refused.push(field)
  }
  const message = publicText('The upstream rejected a field that the gateway sent.')
  tries.push({ candidate, errorName: 'upstreamUnavailable', message, retryAfterMs: null, isLasting: true })
  return null
}

/** No other candidate would be asked after this. */
function isFinal(result: LegResult): result is Refused {
  return result.kind === 'refused' && result.refusal.action === 'give-up'
}

function hear(
  deps: DispatchDeps,
  leg: Leg,
  result: LegResult,
  { ticket, serving, tries }: ServedRequest,
  race: Race | undefined,
): Eventually<Reply | null> {
  const { candidate, said } = leg
  const payer = ticket.principal.walletId
  switch (result.kind) {
    case 'opened':
    case 'abandoned':
      return { kind: 'handled' }
    case 'complete':
      return serving.deliver(leg, result)
    case 'lost':
      return null
    case 'refused': {
      const { refusal } = result
      if (refusal.action === 'give-up') {
        deps.health.objected(candidate, payer)
        const { errorName, message, inside } = refusal
        const reason = errorName === 'pipelineError' ? 'unusable_answer' : 'upstream_rejected'
        const error = new GatewayError(errorName, { message, inside })
        if (race === undefined) return serving.refuse(error, reason)
        race.gaveUp ??= { error, reason, leg }
        return null
      }
      tries.push({ ...noteRefusal(deps, candidate, { payer, refusal }), said })
      return null
    }
    case 'unfit': {
      const { errorName, message } = result.error
      tries.push({ candidate, errorName, message: publicText(message), retryAfterMs: null })
      return null
    }
    case 'failed': {
      deps.health.failed(candidate, { payer, reason: wordFor(nameOfFailure(result.failure)) })
      const { message } = result.failure
      tries.push({ candidate, errorName: nameOfFailure(result.failure), message, said, retryAfterMs: null })
      return null
    }
  }
}

function noteRefusal(
  deps: DispatchDeps,
  candidate: Candidate,
  { payer, refusal }: { payer: string; refusal: Refused['refusal'] },
): FailedTry {
  const { errorName, message, retryAfterMs, status, concernsRequestOnly } = refusal
  if (errorName === 'upstreamRateLimited') {
    // The upstream would reject an oversized request again, but it still accepts others.
    if (concernsRequestOnly === true) return { candidate, errorName, message, retryAfterMs, isLasting: true }
    return { candidate, errorName, message, retryAfterMs: deps.health.throttled(candidate, retryAfterMs) }
  }
  // A model that refused to draw the image, or an upstream that does not support such a request, is healthy.
  const isWell = errorName === 'noImages' || errorCatalogue[errorName].owner === 'client'
  const reason = `${wordFor(errorName)} (${status})`
  if (!isWell) deps.health.failed(candidate, { payer, reason, concernsRequestOnly })
  return { candidate, errorName, message, retryAfterMs }
}
