import { hash } from 'node:crypto'
import { clientNetwork } from '#domain/access/client-network.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { Rates } from '#ports/rates.ts'

export interface Attempt {
  readonly clientIp: string | null
  /** The address that the attempt is about, where it names one. */
  readonly email: string | null
}

export type LimitAttempts = (attempt: Attempt) => Promise<void>

/**
 * Guessing is slow: attempts count for the client and for the address they are about, so that neither many accounts from
 * one place nor one account from many places can be tried quickly. Whoever goes on regardless is blocked, longer each time.
 */
export function createLimitAttempts(deps: { rates: Rates; perMinute: number; nowMs: () => number }): LimitAttempts {
  return async ({ clientIp, email }) => {
    const subjects = [`client ${clientNetwork(clientIp)}`]
    if (email !== null) subjects.push(`address ${email.trim().toLowerCase()}`)
    for (const subject of subjects) {
      // Hashed, because addresses have no place in a store of counters.
      const walletId = hash('sha256', subject)
      const verdict = await deps.rates.admit(
        { walletId, callerId: 'sign-in', class: 'account' },
        deps.perMinute,
        deps.nowMs(),
      )
      if (verdict.allowed) continue
      const retryAfterS = Math.max(1, Math.ceil(verdict.retryAfterMs / 1000))
      throw new GatewayError('rateLimited', {
        message: `Too many attempts. Please try again in ${retryAfterS} seconds.`,
        inside: `sign-in by ${subject.split(' ')[0]}`,
        retryAfterS,
      })
    }
  }
}
