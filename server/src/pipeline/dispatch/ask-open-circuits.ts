import type { Candidate } from '#domain/routing/candidates.ts'
import type { HealthVerdict } from '#domain/routing/provider-health.ts'
import type { Reply, Ticket } from '../types.ts'
import type { FailedTry } from './conclude-failures.ts'
import type { DispatchDeps } from './dispatch-deps.ts'

/** Asks one candidate; null when it could not serve. */
export type Ask = (candidate: Candidate, verdict: HealthVerdict & { usable: true }) => Promise<Reply | null>

// A request that waits could have been refused at once. After this time it begins nothing more.
const lastResortMs = 2_000
// For a trial of its own it waits no longer than before a retry: else every second of an outage would see one more
// trial.
const trialMaxMs = 200

/**
 * The last resort of a request that no candidate served: those that were passed over because their circuit breaker is
 * open. It waits where one of them may be tried in a moment, or where another request is already finding out whether
 * one is well again.
 */
export async function askOpenCircuits(
  deps: DispatchDeps,
  ticket: Ticket,
  tries: readonly FailedTry[],
  ask: Ask,
): Promise<Reply | null> {
  const left = tries.filter(({ errorName }) => errorName === 'noUpstream').map(({ candidate }) => candidate)
  const { connection } = ticket.arrival
  const untilMs = deps.nowMs() + lastResortMs
  while (deps.nowMs() < untilMs && !connection.gone && !connection.streaming) {
    const found = takeUsable(deps, left, ticket.principal.walletId)
    if (found.kind === 'usable') {
      forgetSkipped(ticket, found.candidate)
      const reply = await ask(found.candidate, found.verdict)
      if (reply !== null) return reply
      continue
    }
    const [news, nowMs] = [deps.health.newsOf(left), deps.nowMs()]
    if (news === null && found.untilMs > nowMs + trialMaxMs) return null
    const freed = deps.wait(Math.min(found.untilMs, untilMs) - nowMs)
    await (news === null ? freed : Promise.race([news, freed]))
  }
  return null
}

type Found =
  | { kind: 'usable'; candidate: Candidate; verdict: HealthVerdict & { usable: true } }
  /** `untilMs`: when the first of them may be tried; infinity when none is left. */
  | { kind: 'none'; untilMs: number }

function takeUsable(deps: DispatchDeps, left: Candidate[], payer: string): Found {
  let untilMs = Number.POSITIVE_INFINITY
  for (const [index, candidate] of left.entries()) {
    const verdict = deps.health.judgeLastResort(candidate, payer)
    if (verdict.usable) {
      left.splice(index, 1)
      return { kind: 'usable', candidate, verdict }
    }
    untilMs = Math.min(untilMs, verdict.untilMs)
  }
  return { kind: 'none', untilMs }
}

/** It is told among the attempts instead. */
function forgetSkipped({ skipped }: Ticket, { model, account }: Candidate): void {
  const index = skipped.findIndex(({ model: id, provider }) => id === model.id && provider === account.vendor)
  if (index !== -1) skipped.splice(index, 1)
}
