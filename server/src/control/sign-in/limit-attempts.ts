import { hash } from 'node:crypto'
import { clientNeighbourhood, clientNetwork, clientSite } from '#domain/access/client-network.ts'
import { platformChain } from '#domain/audit/audit-entry.ts'
import { failureRules } from '#domain/limits/failures.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { AuditTrail } from '#ports/audit.ts'
import type { Users } from '#ports/people.ts'
import type { Failures, Rates } from '#ports/shared-counts.ts'

interface Attempt {
  readonly clientIp: string | null
  /** The email address of the attempt, if it has one. */
  readonly email: string | null
  /** The device on which that account signed in before, if the browser can prove it. */
  readonly deviceId: string | null
  /** Whether the response reveals if a password is correct. */
  readonly isGuess: boolean
}

type AttemptOutcome = 'wrong password' | 'anything else'

/** Admits or rejects one attempt. The returned function takes the outcome. */
export type LimitAttempts = (attempt: Attempt) => Promise<(outcome: AttemptOutcome) => Promise<void>>

interface LimitAttemptsDeps {
  readonly rates: Rates
  readonly failures: Failures
  /** Maximum writes of any kind, per client. */
  readonly perMinute: number
  /** Failed passwords of a site before its pauses begin. */
  readonly failuresMax: number
  readonly onFailure: () => void
  /** Called when strangers have failed so often for this address that it is under attack, at most once an hour. */
  readonly onAttacked: (email: string) => void
  readonly nowMs: () => number
}

/**
 * Slows down guessing, and stops only the guesser. A site that fails too often must pause, longer each time; attempts
 * during a pause are rejected without checking the password, so the guesser learns nothing. Failures for one account,
 * or in one network neighborhood, block no one: they only reduce each site to one failure before its pause. A device
 * that is known for the account has its own count, so strangers cannot affect its owner's count, even from the same
 * network.
 */
export function createLimitAttempts(deps: LimitAttemptsDeps): LimitAttempts {
  const { failures, failuresMax, nowMs } = deps
  return async (attempt) => {
    const { clientIp, email, deviceId } = attempt
    await limitWrites(deps, deviceId === null ? `client ${clientNetwork(clientIp)}` : `device ${deviceId}`)
    if (email === null || !attempt.isGuess) return async () => {}
    const known = deviceId !== null
    const account = digest(`account ${normal(email)}`)
    const neighbourhood = digest(`neighbourhood ${clientNeighbourhood(clientIp)}`)
    const subject = digest(known ? `device ${deviceId}` : `site ${clientSite(clientIp)}`)
    const tolerance = known || !(await isPressed({ account, neighbourhood })) ? failuresMax : 1
    const verdict = await failures.take(subject, tolerance, nowMs())
    if (!verdict.allowed) throw pausedError(verdict.retryAfterMs, known)
    return async (outcome) => {
      if (outcome !== 'wrong password') return failures.giveBack(subject, verdict.taken)
      deps.onFailure()
      if (known) return
      await failures.notePressure(neighbourhood, nowMs())
      if ((await failures.notePressure(account, nowMs())) === failuresMax) deps.onAttacked(normal(email))
    }
  }

  async function isPressed({ account, neighbourhood }: Record<'account' | 'neighbourhood', string>): Promise<boolean> {
    const [forAccount, around] = await Promise.all([
      failures.readPressure(account, nowMs()),
      failures.readPressure(neighbourhood, nowMs()),
    ])
    return forAccount >= failuresMax || around >= failuresMax * failureRules.neighbourhoodFactor
  }
}

async function limitWrites({ rates, perMinute, nowMs }: LimitAttemptsDeps, subject: string): Promise<void> {
  const verdict = await rates.admit(
    { walletId: digest(subject), clientId: 'sign-in', class: 'account' },
    perMinute,
    nowMs(),
  )
  if (verdict.allowed) return
  const retryAfterS = secondsOf(verdict.retryAfterMs)
  throw new GatewayError('rateLimited', {
    message: `Too many attempts. Retry in ${retryAfterS} seconds.`,
    inside: `sign-in by ${subject.split(' ')[0]}`,
    retryAfterS,
  })
}

function pausedError(retryAfterMs: number, known: boolean): GatewayError {
  const retryAfterS = secondsOf(retryAfterMs)
  return new GatewayError('rateLimited', {
    message: `Too many wrong passwords. Retry in ${retryAfterS} seconds, or reset your password.`,
    inside: `wrong passwords of a ${known ? 'device' : 'site'}`,
    retryAfterS,
  })
}

// Hashed, so that the counter store holds no addresses.
function digest(subject: string): string {
  return hash('sha256', subject)
}

function normal(email: string): string {
  return email.trim().toLowerCase()
}

function secondsOf(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000))
}

/** Reports an account under attack to operators. An address without an account is not reported. */
export function createReportAttack(deps: {
  users: Pick<Users, 'find'>
  audit: AuditTrail
  onAttacked: (userId: Uuid) => void
  onFailure: (error: unknown) => void
}): (email: string) => void {
  const report = async (email: string): Promise<void> => {
    const user = await deps.users.find(email)
    if (user === null) return
    deps.onAttacked(user.id)
    await deps.audit.append({
      chainId: platformChain,
      actor: { kind: 'anonymous', id: null, name: null },
      requestId: null,
      action: 'user.sign_in.attacked',
      target: { kind: 'user', id: user.id },
    })
  }
  // Not awaited: the response must take as long as for an address without an account.
  return (email) => void report(email).catch(deps.onFailure)
}
