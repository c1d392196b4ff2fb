import type { Candidate } from '#domain/routing/candidates.ts'
import type { HealthVerdict } from '#domain/routing/provider-health.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { publicText } from '#lib/public-text.ts'
import type { Reply, Ticket } from '../types.ts'
import { askCandidate, type ServedRequest } from './ask-candidate.ts'
import { type Ask, askOpenCircuits } from './ask-open-circuits.ts'
import { concludeFailures, type FailedTry } from './conclude-failures.ts'
import type { DispatchDeps } from './dispatch-deps.ts'
import { Hedge } from './hedge.ts'
import { Serving } from './serving.ts'

export type DispatchStage = (ticket: Ticket) => Promise<Reply>

/**
 * Tries the candidates in order until one answers, then perhaps one of them once more, and finally those with an open
 * circuit. It stops trying once a byte has reached the client.
 */
export function createDispatch(deps: DispatchDeps): DispatchStage {
  return async (ticket) => {
    deps.retries.earn()
    const serving = new Serving(deps, ticket)
    const tries: FailedTry[] = []
    const request = { ticket, serving, tries }
    const ask: Ask = (candidate, { isProbe }, race) =>
      isProbe
        ? deps.health.probe(candidate, () => askCandidate(deps, candidate, request, race))
        : askCandidate(deps, candidate, request, race)
    const { hedgeAfter } = ticket.plan
    const hedge = hedgeAfter === undefined ? null : new Hedge(deps, request, ask, hedgeAfter)
    const reply =
      (await askInOrder(deps, request, ask, hedge)) ??
      (await askAgain(deps, ticket, tries, ask)) ??
      (await askOpenCircuits(deps, ticket, tries, ask))
    return reply ?? serving.refuse(refusalAfter(tries), 'upstream_failed')
  }
}

async function askInOrder(
  deps: DispatchDeps,
  { ticket, tries }: ServedRequest,
  ask: Ask,
  hedge: Hedge | null,
): Promise<Reply | null> {
  for (const candidate of ticket.plan.candidates) {
    if (hedge?.hasAsked(candidate) === true) continue
    const verdict = deps.health.judge(candidate, ticket.principal.walletId)
    if (!verdict.usable) {
      ticket.skipped.push({ model: candidate.model.id, provider: candidate.account.vendor, rule: verdict.why })
      tries.push(skippedTry(candidate, verdict, deps.nowMs()))
      continue
    }
    const reply = await (hedge === null ? ask(candidate, verdict) : hedge.ask(candidate, verdict))
    if (reply !== null) return reply
    if (ticket.arrival.connection.streaming) return null
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
  // Other requests may have shown meanwhile that the failure persists.
  const verdict = deps.health.judge(again.candidate, ticket.principal.walletId)
  return verdict.usable && !ticket.arrival.connection.streaming ? ask(again.candidate, verdict) : null
}

function skippedTry(candidate: Candidate, verdict: HealthVerdict & { usable: false }, nowMs: number): FailedTry {
  return {
    candidate,
    errorName: verdict.why === 'throttled' ? 'upstreamRateLimited' : 'noUpstream',
    message: publicText(`skipped: ${verdict.why}`),
    retryAfterMs: Math.max(1, verdict.untilMs - nowMs),
  }
}

function refusalAfter(tries: readonly FailedTry[]): GatewayError {
  const tried = tries.filter((failed) => failed.errorName !== 'noUpstream')
  if (tried.length > 0) return concludeFailures(tried)
  return new GatewayError('noUpstream', {
    message: 'All providers for this model are temporarily unavailable. Nothing was charged. Retry shortly.',
    inside: tries.map(({ candidate }) => candidate.account.name).join(', '),
    retryAfterS: 5,
  })
}

// If an upstream asks for a longer pause than this, the client is not kept waiting.
const waitMaxMs = 2_000
const pauseMs = 200

const transient = new Set<FailedTry['errorName']>(['upstreamUnavailable', 'upstreamUnreachable', 'upstreamRateLimited'])

/** Chooses the candidate to retry after all have failed, and the pause before it, if its failure may be transient. */
export function chooseRetry(
  { arrival }: Pick<Ticket, 'arrival'>,
  tries: readonly FailedTry[],
): { candidate: Candidate; waitMs: number } | null {
  if (arrival.connection.streaming || arrival.connection.gone) return null
  let best: { candidate: Candidate; waitMs: number } | null = null
  for (const { candidate, errorName, retryAfterMs, isLasting = false } of tries) {
    const waitMs = retryAfterMs ?? pauseMs
    if (isLasting || !transient.has(errorName) || waitMs > waitMaxMs) continue
    // On a tie the earlier candidate wins, because it was preferred before.
    if (best === null || waitMs < best.waitMs) best = { candidate, waitMs }
  }
  return best
}
