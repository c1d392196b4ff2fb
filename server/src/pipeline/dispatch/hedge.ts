import { purposeOf } from '#dialects/purpose-of.ts'
import type { Candidate } from '#domain/routing/candidates.ts'
import { hedgeAfterMsMin } from '#domain/routing/preferences.ts'
import type { HealthVerdict } from '#domain/routing/provider-health.ts'
import { holdFor } from '../hold-for.ts'
import type { Reply } from '../types.ts'
import type { Race, ServedRequest } from './ask-candidate.ts'
import type { Ask } from './ask-open-circuits.ts'
import type { DispatchDeps } from './dispatch-deps.ts'

type Usable = HealthVerdict & { usable: true }

/**
 * Sends the request to a second provider of the same model if the first has sent nothing for a while. The first byte
 * wins. A failed leg does not end the request while the other leg runs. A request is hedged at most once.
 */
export class Hedge {
  readonly #deps: DispatchDeps
  readonly #request: ServedRequest
  readonly #ask: Ask
  readonly #after: number | 'auto'
  #second: Candidate | null = null

  constructor(deps: DispatchDeps, request: ServedRequest, ask: Ask, after: number | 'auto') {
    this.#deps = deps
    this.#request = request
    this.#ask = ask
    this.#after = after
    deps.hedging.budget.earn(request.ticket.principal.walletId)
  }

  hasAsked(candidate: Candidate): boolean {
    return candidate === this.#second
  }

  /** Null if neither answered. */
  async ask(candidate: Candidate, verdict: Usable): Promise<Reply | null> {
    const afterMs = this.#afterMs(candidate)
    if (afterMs === null) return this.#ask(candidate, verdict)
    const race: Race = { gaveUp: null }
    const first = this.#ask(candidate, verdict, race)
    const isLate = await this.#isLate(first, afterMs)
    const second = isLate ? this.#chooseSecond(candidate) : null
    const reply = second === null ? await first : await this.#race(first, second, race)
    if (reply !== null || race.gaveUp === null) return reply
    const { error, reason, leg } = race.gaveUp
    return this.#request.serving.refuse(error, reason, leg)
  }

  /** Null if the candidate is asked alone. */
  #afterMs(candidate: Candidate): number | null {
    const { plan, arrival } = this.#request.ticket
    const isText = purposeOf(plan.call, candidate.model, arrival.wantsEvents) === 'text'
    if (!isText || this.#second !== null || !plan.candidates.some((other) => isSecond(other, candidate))) return null
    if (this.#after !== 'auto') return this.#after
    const slowMs = this.#deps.hedging.slowMs(candidate, plan.call.stream)
    return slowMs === null ? null : Math.max(hedgeAfterMsMin, slowMs)
  }

  async #isLate(first: Promise<unknown>, afterMs: number): Promise<boolean> {
    const timer = new AbortController()
    const late = this.#deps.hedging.pause(afterMs, timer.signal).then(() => true, inTime)
    const isLate = await Promise.race([first.then(inTime, inTime), late])
    timer.abort()
    return isLate
  }

  #chooseSecond(first: Candidate): { candidate: Candidate; verdict: Usable } | null {
    const { ticket, serving, tries } = this.#request
    const { health, hedging } = this.#deps
    const { walletId } = ticket.principal
    if (ticket.arrival.connection.streaming || serving.gone) return null
    const left = ticket.plan.candidates.filter(
      (candidate) =>
        isSecond(candidate, first) &&
        !tries.some((tried) => tried.candidate === candidate) &&
        // Whichever of the two wins, the hold covers its charge.
        holdFor([candidate], ticket.plan.call, ticket.heldTokens) <= ticket.heldAmount,
    )
    if (left.length === 0) return null
    if (!hedging.budget.has(walletId)) {
      hedging.count('over_budget')
      return null
    }
    for (const candidate of left) {
      const verdict = health.judge(candidate, walletId)
      if (!verdict.usable) continue
      hedging.budget.spend(walletId)
      this.#second = candidate
      return { candidate, verdict }
    }
    return null
  }

  async #race(
    first: Promise<Reply | null>,
    { candidate, verdict }: { candidate: Candidate; verdict: Usable },
    race: Race,
  ): Promise<Reply | null> {
    const reply = await firstReply([first, this.#ask(candidate, verdict, race)], this.#deps.onError)
    const { winner } = this.#request.serving
    if (winner === null) this.#deps.hedging.count(reply === null ? 'failed' : 'cancelled')
    else this.#deps.hedging.count(winner === candidate ? 'won' : 'lost')
    return reply
  }
}

/** Another account, of this vendor or another one. Both must be charged, because the hold covers only charges. */
function isSecond(candidate: Candidate, first: Candidate): boolean {
  const isSameModel = candidate.model.id === first.model.id && candidate.account.id !== first.account.id
  return isSameModel && candidate.billing === 'charged' && first.billing === 'charged'
}

/** Null if all ended without a reply. A fault of one leg is thrown only if no other leg replied. */
function firstReply(legs: readonly Promise<Reply | null>[], onError: (error: unknown) => void): Promise<Reply | null> {
  const { promise, resolve, reject } = Promise.withResolvers<Reply | null>()
  const faults: unknown[] = []
  let hasReply = false
  let running = legs.length
  const end = (): void => {
    running -= 1
    if (running > 0) return
    if (hasReply) return faults.forEach(onError)
    if (faults.length > 0) reject(faults[0])
    else resolve(null)
  }
  for (const leg of legs) {
    leg.then(
      (reply) => {
        if (reply !== null) {
          hasReply = true
          resolve(reply)
        }
        end()
      },
      (error: unknown) => {
        faults.push(error)
        end()
      },
    )
  }
  return promise
}

function inTime(): boolean {
  return false
}
