import type { Candidate } from '#domain/routing/candidates.ts'
import type { HealthVerdict } from '#domain/routing/provider-health.ts'
import { errorCatalogue } from '#errors/catalogue.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { publicText } from '#lib/public-text.ts'
import type { Reply, Ticket } from '../types.ts'
import { type Ask, askIsolated } from './ask-isolated.ts'
import { chooseRetry } from './choose-retry.ts'
import { concludeFailures, type FailedTry, nameOfFailure, wordFor } from './conclude-failures.ts'
import type { DispatchDeps } from './dispatch-deps.ts'
import type { ServedResult } from './served-result.ts'
import { Serving } from './serving.ts'

export type DispatchStage = (ticket: Ticket) => Promise<Reply>

/**
 * Tries the candidates in order until one answers, then perhaps one of them once more, and at last those that were isolated.
 * Nothing is tried any more once a byte has reached the caller.
 */
export function createDispatch(deps: DispatchDeps): DispatchStage {
  return async (ticket) => {
    deps.retries.earn()
    const serving = new Serving(deps, ticket)
    const tries: FailedTry[] = []
    const ask: Ask = (candidate, { isProbe }) =>
      isProbe
        ? deps.health.probe(candidate, () => serveOrMend(candidate, ticket, serving, tries))
        : serveOrMend(candidate, ticket, serving, tries)
    const reply =
      (await askInOrder(deps, ticket, tries, ask)) ??
      (await askAgain(deps, ticket, tries, ask)) ??
      (await askIsolated(deps, ticket, tries, ask))
    return reply ?? serving.refuse(refusalAfter(tries), 'upstream_failed')
  }

  /** A field of ours that the candidate refuses is left out, and it is asked once more. If that does not help, others are. */
  async function serveOrMend(
    candidate: Candidate,
    ticket: Ticket,
    serving: Serving,
    tries: FailedTry[],
  ): Promise<Reply | null> {
    const first = await serving.serve(candidate)
    if (first.kind !== 'refused' || first.refusal.action !== 'give-up') {
      return conclude(candidate, first, serving, tries)
    }
    const sent = ticket.arrival.body
    const verdict = deps.refusedFields.note(candidate, first.refusal, sent)
    if (verdict === 'of the client') return conclude(candidate, first, serving, tries)
    const last = verdict === 'new' ? await serving.serve(candidate) : first
    const isStillOurs =
      last.kind === 'refused' &&
      last.refusal.action === 'give-up' &&
      (last === first || deps.refusedFields.note(candidate, last.refusal, sent) !== 'of the client')
    if (!isStillOurs) return conclude(candidate, last, serving, tries)
    const message = publicText('The upstream refuses a field that the gateway sent.')
    tries.push({ candidate, errorName: 'upstreamUnavailable', message, retryAfterMs: null })
    return null
  }

  async function conclude(
    candidate: Candidate,
    result: ServedResult,
    serving: Serving,
    tries: FailedTry[],
  ): Promise<Reply | null> {
    switch (result.kind) {
      case 'opened':
      case 'abandoned':
        return { kind: 'handled' }
      case 'complete':
        return serving.deliver(candidate, result)
      case 'refused':
        if (result.refusal.action === 'give-up') {
          // It is well: it has read the call and says what is wrong with it.
          deps.health.succeeded(candidate)
          const { errorName, message, inside } = result.refusal
          const reason = errorName === 'pipelineError' ? 'unusable_answer' : 'upstream_rejected'
          return serving.refuse(new GatewayError(errorName, { message, inside }), reason)
        }
        noteRefusal(candidate, result, tries)
        return null
      case 'unfit': {
        const { errorName, message } = result.error
        tries.push({ candidate, errorName, message: publicText(message), retryAfterMs: null })
        return null
      }
      case 'failed': {
        deps.health.failed(candidate, wordFor(nameOfFailure(result.failure)))
        const { message } = result.failure
        tries.push({ candidate, errorName: nameOfFailure(result.failure), message, retryAfterMs: null })
        return null
      }
    }
  }

  function noteRefusal(candidate: Candidate, result: ServedResult & { kind: 'refused' }, tries: FailedTry[]): void {
    const { errorName, message, retryAfterMs } = result.refusal
    if (errorName === 'upstreamRateLimited') {
      tries.push({ candidate, errorName, message, retryAfterMs: deps.health.throttled(candidate, retryAfterMs) })
      return
    }
    // A model that would not draw this, or a host that does not take such a request, is well.
    const isWell = errorName === 'noImages' || errorCatalogue[errorName].owner === 'caller'
    if (!isWell) deps.health.failed(candidate, `${wordFor(errorName)} (${result.refusal.status})`)
    tries.push({ candidate, errorName, message, retryAfterMs })
  }
}

async function askInOrder(deps: DispatchDeps, ticket: Ticket, tries: FailedTry[], ask: Ask): Promise<Reply | null> {
  for (const candidate of ticket.plan.candidates) {
    const verdict = deps.health.judge(candidate)
    if (!verdict.usable) {
      ticket.skipped.push({ model: candidate.model.id, provider: candidate.account.vendor, rule: verdict.why })
      tries.push(skippedTry(candidate, verdict, deps.nowMs()))
      continue
    }
    const reply = await ask(candidate, verdict)
    if (reply !== null) return reply
    if (ticket.arrival.caller.streaming) return null
  }
  return null
}

async function askAgain(
  deps: DispatchDeps,
  ticket: Ticket,
  tries: readonly FailedTry[],
  ask: Ask,
): Promise<Reply | null> {
  const again = chooseRetry(ticket, tries)
  if (again === null || !deps.retries.spend()) return null
  await deps.wait(again.waitMs)
  // Others may have found out meanwhile that it is no hiccup.
  const verdict = deps.health.judge(again.candidate)
  return verdict.usable && !ticket.arrival.caller.streaming ? ask(again.candidate, verdict) : null
}

function skippedTry(candidate: Candidate, verdict: HealthVerdict & { usable: false }, nowMs: number): FailedTry {
  return {
    candidate,
    errorName: verdict.why === 'throttled' ? 'upstreamRateLimited' : 'noUpstream',
    message: publicText(`not tried: ${verdict.why}`),
    retryAfterMs: Math.max(1, verdict.untilMs - nowMs),
  }
}

function refusalAfter(tries: readonly FailedTry[]): GatewayError {
  const tried = tries.filter((failed) => failed.errorName !== 'noUpstream')
  if (tried.length > 0) return concludeFailures(tried)
  return new GatewayError('noUpstream', {
    message: 'Every upstream provider of this model is isolated after failures. Nothing was charged; retry shortly.',
    inside: tries.map(({ candidate }) => candidate.account.name).join(', '),
    retryAfterS: 5,
  })
}
