import { hash } from 'node:crypto'
import { clientNeighbourhood } from '#domain/access/client-network.ts'
import { failureRules } from '#domain/limits/failures.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { Failures } from '#ports/shared-counts.ts'

/** Admits or rejects one attempt to redeem a code. The returned function takes the outcome. */
export type LimitGuesses = (guess: Guess) => Promise<(outcome: GuessOutcome) => Promise<void>>

interface Guess {
  readonly userId: Uuid
  readonly clientIp: string | null
}

type GuessOutcome = 'not redeemable' | 'anything else'

interface LimitGuessesDeps {
  readonly failures: Failures
  /** Failed attempts of a person before the pauses begin. */
  readonly failuresMax: number
  readonly onFailure: () => void
  readonly nowMs: () => number
}

/**
 * Slows down guessing, as at sign-in. A person with too many failed codes must pause, longer each time; attempts during
 * a pause are rejected without checking the code. Many failing people in one network neighborhood may be one person
 * with many accounts, so each of them then has one attempt before a pause.
 */
export function createLimitGuesses({ failures, failuresMax, onFailure, nowMs }: LimitGuessesDeps): LimitGuesses {
  return async ({ userId, clientIp }) => {
    const person = digest(`redeemer ${userId}`)
    const neighbourhood = digest(`redeemers ${clientNeighbourhood(clientIp)}`)
    const around = await failures.readPressure(neighbourhood, nowMs())
    const tolerance = around >= failuresMax * failureRules.neighbourhoodFactor ? 1 : failuresMax
    const verdict = await failures.take(person, tolerance, nowMs())
    if (!verdict.allowed) throw pausedError(verdict.retryAfterMs)
    return async (outcome) => {
      if (outcome !== 'not redeemable') return failures.giveBack(person, verdict.taken)
      onFailure()
      await failures.notePressure(neighbourhood, nowMs())
    }
  }
}

function pausedError(retryAfterMs: number): GatewayError {
  const retryAfterS = Math.max(1, Math.ceil(retryAfterMs / 1000))
  return new GatewayError('rateLimited', {
    message: `Too many invalid codes. Retry in ${retryAfterS} seconds.`,
    inside: 'redemption attempts of a user',
    retryAfterS,
  })
}

// Hashed, so that the counter store holds no personal data.
function digest(subject: string): string {
  return hash('sha256', subject)
}
