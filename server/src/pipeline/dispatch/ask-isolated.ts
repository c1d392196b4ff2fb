import type { Candidate } from '#domain/routing/candidates.ts'
import type { HealthVerdict } from '#domain/routing/provider-health.ts'
import type { Reply, Ticket } from '../types.ts'
import type { FailedTry } from './conclude-failures.ts'
import type { DispatchDeps } from './dispatch-deps.ts'

/** Asks one candidate; null when it could not serve. */
export type Ask = (candidate: Candidate, verdict: HealthVerdict & { usable: true }) => Promise<Reply | null>

// Whoever waits for news of a probe could have been refused at once; it is not kept for longer than this.
const newsMaxMs = 2_000
const askedMax = 3

/**
 * The last resort of a request that nobody could serve: those that were passed over because their circuit is open. Where another
 * request is already finding out whether one of them is well again, this one waits to hear of it.
 */
export async function askIsolated(
  deps: DispatchDeps,
  ticket: Ticket,
  tries: readonly FailedTry[],
  ask: Ask,
): Promise<Reply | null> {
  const left = tries.filter(({ errorName }) => errorName === 'noUpstream').map(({ candidate }) => candidate)
  if (left.length === 0) return null
  const { caller } = ticket.arrival
  const untilMs = deps.nowMs() + newsMaxMs
  for (let asked = 0; asked < askedMax && !caller.gone && !caller.streaming; ) {
    const found = takeUsable(deps, left)
    if (found !== null) {
      asked += 1
      forgetSkipped(ticket, found.candidate)
      const reply = await ask(found.candidate, found.verdict)
      if (reply !== null) return reply
      continue
    }
    const [news, restMs] = [deps.health.newsOf(left), untilMs - deps.nowMs()]
    if (news === null || restMs <= 0) return null
    await Promise.race([news, deps.wait(restMs)])
  }
  return null
}

function takeUsable(
  deps: DispatchDeps,
  left: Candidate[],
): { candidate: Candidate; verdict: HealthVerdict & { usable: true } } | null {
  for (const [index, candidate] of left.entries()) {
    const verdict = deps.health.judgeLastResort(candidate)
    if (!verdict.usable) continue
    left.splice(index, 1)
    return { candidate, verdict }
  }
  return null
}

/** It is told among the attempts instead. */
function forgetSkipped({ skipped }: Ticket, { model, account }: Candidate): void {
  const index = skipped.findIndex(({ model: id, provider }) => id === model.id && provider === account.vendor)
  if (index !== -1) skipped.splice(index, 1)
}
