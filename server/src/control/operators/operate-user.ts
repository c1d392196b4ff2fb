import { randomBytes } from 'node:crypto'
import { changePersonalBreaker } from '#control/breakers/change-breaker.ts'
import { breakerLimitMin } from '#control/breakers/parse-breaker-change.ts'
import { type Actor, platformChain } from '#domain/audit/audit-entry.ts'
import { formatUsd, type NanoUsd } from '#domain/money/nano-usd.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { malformed } from '#errors/malformed.ts'
import type { Announce } from '#ports/announce.ts'
import type { ChangeAuthor } from '#ports/keys.ts'
import type { PersonAccounts, PersonalBreaker, UserListing, Users } from '#ports/people.ts'
import { missingUser, readUser } from './create-user.ts'
import { platformEntry } from './platform-entry.ts'

/**
 * Suspends a user, but no operator. The user's keys are rejected with 403 until the suspension is lifted; nothing else
 * changes.
 */
export async function suspendUser(
  deps: { users: Users; announce: Announce },
  input: { reference: string; suspended: boolean },
  author: ChangeAuthor,
): Promise<UserListing> {
  const user = await readUser(deps.users, input.reference)
  if (input.suspended && user.operates) {
    throw new GatewayError('conflict', { message: `${user.email} is an operator. Remove the operator first.` })
  }
  const action = input.suspended ? 'user.suspend' : 'user.unsuspend'
  const entry = platformEntry(author, { action, target: { kind: 'user', id: user.id } })
  if (!(await deps.users.setSuspended(user.id, input.suspended, entry))) throw missingUser(input.reference)
  await deps.announce({ userId: user.id })
  return { ...user, suspended: input.suspended }
}

/** Marks an address as verified by the operator, for example if no email can be sent. */
export async function vouchForAddress(
  deps: { users: Users; accounts: PersonAccounts },
  reference: string,
  actor: Actor,
): Promise<UserListing> {
  const user = await readUser(deps.users, reference)
  const isVerified = await deps.accounts.verifyAddress(user.id, {
    chainId: platformChain,
    actor,
    requestId: null,
    action: 'user.verify',
    target: { kind: 'user', id: user.id },
  })
  if (!isVerified) throw missingUser(reference)
  return user
}

/** Generates a new password, shown once, and signs the person out everywhere. */
export async function setPassword(
  deps: { users: Users; accounts: PersonAccounts },
  { reference, dropSecondFactor }: { reference: string; dropSecondFactor: boolean },
  actor: Actor,
): Promise<{ user: UserListing; password: string }> {
  const user = await readUser(deps.users, reference)
  const password = randomBytes(15).toString('base64url')
  const isSet = await deps.accounts.setPassword(
    user.id,
    { password, dropSecondFactor },
    {
      chainId: platformChain,
      actor,
      requestId: null,
      action: 'user.password.set',
      target: { kind: 'user', id: user.id },
      details: { secondFactorDropped: dropSecondFactor },
    },
  )
  if (!isSet) throw missingUser(reference)
  return { user, password }
}

/** Sets the personal spend breaker, per minute and per hour. */
export async function setBreaker(
  deps: { users: Users; announce: Announce },
  input: { reference: string; breaker: PersonalBreaker },
  actor: Actor,
): Promise<UserListing> {
  assertLimit('minute', input.breaker.minute)
  assertLimit('hour', input.breaker.hour)
  const user = await readUser(deps.users, input.reference)
  const change = { userId: user.id, change: input.breaker, actor, requestId: null }
  return { ...user, breaker: await changePersonalBreaker(deps, change) }
}

function assertLimit(window: string, limit: NanoUsd | null): void {
  if (limit === null || limit >= breakerLimitMin) return
  throw malformed(`The spend breaker limit per ${window} must be at least ${formatUsd(breakerLimitMin)} USD.`)
}
