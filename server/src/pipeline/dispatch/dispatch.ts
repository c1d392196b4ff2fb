import type { Candidate } from '#domain/routing/candidates.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { Reply, Ticket } from '../types.ts'
import type { AttemptResult } from './attempt.ts'
import { concludeFailures, type FailedTry, nameOfFailure } from './conclude-failures.ts'
import type { DispatchDeps } from './dispatch-deps.ts'
import { Serving } from './serving.ts'

export type DispatchStage = (ticket: Ticket) => Promise<Reply>

/** Tries the candidates in order until one answers. Nothing is tried any more once a byte has reached the caller. */
export function createDispatch(deps: DispatchDeps): DispatchStage {
  return async (ticket) => {
    deps.retries.earn()
    const serving = new Serving(deps, ticket)
    const tries: FailedTry[] = []
    for (const candidate of ticket.plan.candidates) {
      if (isSkipped(deps, candidate, tries)) continue
      const reply = await serveOrNote(candidate, serving, tries)
      if (reply !== null) return reply
      if (ticket.arrival.caller.streaming) break
    }
    const again = candidateToRetry(deps, ticket, tries)
    if (again !== null) {
      await deps.wait(again.waitMs)
      const reply = await serveOrNote(again.candidate, serving, tries)
      if (reply !== null) return reply
    }
    return serving.refuse(conclude(tries), 'upstream_failed')
  }

  async function serveOrNote(candidate: Candidate, serving: Serving, tries: FailedTry[]): Promise<Reply | null> {
    const result = await serving.serve(candidate)
    switch (result.kind) {
      case 'opened':
      case 'abandoned':
        return { kind: 'handled' }
      case 'complete':
        return serving.deliver(candidate, result)
      case 'refused':
        if (result.refusal.action === 'give-up') {
          const { errorName, message } = result.refusal
          return serving.refuse(new GatewayError(errorName, { message }), 'upstream_rejected')
        }
        noteRefusal(candidate, result, tries)
        return null
      case 'unfit': {
        const { errorName, message } = result.error
        tries.push({ provider: candidate.account.name, errorName, message, retryAfterMs: null })
        return null
      }
      case 'failed':
        deps.health.failed(candidate)
        tries.push({
          provider: candidate.account.name,
          errorName: nameOfFailure(result.failure),
          message: result.failure.message,
          retryAfterMs: null,
        })
        return null
    }
  }

  function noteRefusal(candidate: Candidate, result: AttemptResult & { kind: 'refused' }, tries: FailedTry[]): void {
    const { errorName, message, retryAfterMs } = result.refusal
    if (errorName === 'upstreamRateLimited') deps.health.throttled(candidate, retryAfterMs ?? throttleDefaultMs)
    else deps.health.failed(candidate)
    tries.push({ provider: candidate.account.name, errorName, message, retryAfterMs })
  }
}

const throttleDefaultMs = 1_000

function isSkipped(deps: DispatchDeps, candidate: Candidate, tries: FailedTry[]): boolean {
  const verdict = deps.health.judge(candidate)
  if (verdict.usable) return false
  tries.push({
    provider: candidate.account.name,
    errorName: verdict.why === 'throttled' ? 'upstreamRateLimited' : 'noUpstream',
    message: `not tried: ${verdict.why}`,
    retryAfterMs: Math.max(1, verdict.untilMs - deps.nowMs()),
  })
  return true
}

// An upstream that asks for a longer pause than this is not worth keeping a caller waiting for.
const retryWaitMaxMs = 2_000
const retryPauseMs = 200

/** A hiccup at the only upstream there is gets one more try, if the budget has one left. */
function candidateToRetry(
  deps: DispatchDeps,
  ticket: Ticket,
  tries: readonly FailedTry[],
): { candidate: Candidate; waitMs: number } | null {
  const { plan, arrival } = ticket
  const [candidate] = plan.candidates
  const [failed] = tries
  if (candidate === undefined || failed === undefined || plan.candidates.length !== 1 || ticket.attempts.length !== 1)
    return null
  if (!retryable.has(failed.errorName) || arrival.caller.streaming || arrival.caller.gone) return null
  const waitMs = failed.retryAfterMs ?? retryPauseMs
  if (waitMs > retryWaitMaxMs || !deps.retries.spend()) return null
  return { candidate, waitMs }
}

const retryable = new Set<FailedTry['errorName']>(['upstreamUnavailable', 'upstreamUnreachable', 'upstreamRateLimited'])

function conclude(tries: readonly FailedTry[]): GatewayError {
  const tried = tries.filter((failed) => failed.errorName !== 'noUpstream')
  if (tried.length > 0) return concludeFailures(tried)
  return new GatewayError('noUpstream', {
    message: 'Every upstream provider of this model is isolated after failures. Nothing was charged; retry shortly.',
    inside: tries.map((failed) => failed.provider).join(', '),
    retryAfterS: 5,
  })
}
