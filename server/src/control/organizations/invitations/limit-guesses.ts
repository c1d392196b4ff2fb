import { hash } from 'node:crypto'
import { clientSite } from '#domain/access/client-network.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { Failures } from '#ports/shared-counts.ts'

/** Runs a lookup of a token, unless its site must pause after too many unknown ones. */
export type LimitTokenGuesses = <Result>(clientIp: string | null, lookUp: () => Promise<Result>) => Promise<Result>

/**
 * Tokens have 256 random bits, so no one guesses one. The limit keeps a site from trying at the full speed of the
 * database. Only unknown tokens count: many people behind one address can open their invitations.
 */
export function createLimitTokenGuesses(deps: {
  readonly failures: Pick<Failures, 'take' | 'giveBack'>
  readonly failuresMax: number
  readonly nowMs: () => number
}): LimitTokenGuesses {
  const { failures, failuresMax, nowMs } = deps
  return async (clientIp, lookUp) => {
    // Hashed, so that the counter store holds no addresses.
    const site = hash('sha256', `invitations ${clientSite(clientIp)}`)
    const verdict = await failures.take(site, failuresMax, nowMs())
    if (!verdict.allowed) throw pausedError(verdict.retryAfterMs)
    try {
      const result = await lookUp()
      await failures.giveBack(site, verdict.taken)
      return result
    } catch (error) {
      const isUnknown = error instanceof GatewayError && error.errorName === 'notFound'
      if (!isUnknown) await failures.giveBack(site, verdict.taken)
      throw error
    }
  }
}

function pausedError(retryAfterMs: number): GatewayError {
  const retryAfterS = Math.max(1, Math.ceil(retryAfterMs / 1000))
  return new GatewayError('rateLimited', {
    message: `Too many invalid invitation links. Retry in ${retryAfterS} seconds.`,
    inside: 'invitation tokens of a site',
    retryAfterS,
  })
}
