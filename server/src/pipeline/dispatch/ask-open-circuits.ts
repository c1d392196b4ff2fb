import type { Candidate } from '#domain/routing/candidates.ts'
import type { HealthVerdict } from '#domain/routing/provider-health.ts'
import type { Reply, Ticket } from '../types.ts'
import type { Race } from './ask-candidate.ts'
import type { FailedTry } from './conclude-failures.ts'
import type { DispatchDeps } from './dispatch-deps.ts'

/** Asks one candidate. Null if it could not serve. */
export type Ask = (
  candidate: Candidate,
  verdict: HealthVerdict & { usable: true },
  race?: Race,
) => Promise<Reply | null>

// A waiting request could have been rejected at once. After this time it starts no more attempts.
const lastResortMs = 2_000
// A request waits for its own probe no longer than before a retry: otherwise every second of an outage would start one
// more probe.
const trialMaxMs = 200

/**
 * The last resort of a request that no candidate served: candidates that were skipped because their circuit is open. It
 * waits if one of them can be probed soon, or if another request is already probing one.
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
  /** `untilMs`: when the first of them can be probed, or infinity if none is left. */
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

/** The candidate is listed among the attempts instead. */
function forgetSkipped({ skipped }: Ticket, { model, account }: Candidate): void {
  const index = skipped.findIndex(({ model: id, provider }) => id === model.id && provider === account.vendor)
  if (index !== -1) skipped.splice(index, 1)
}
