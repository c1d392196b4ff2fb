import { changePersonalBreaker } from '#control/breakers/change-personal-breaker.ts'
import { breakerLimitMin } from '#control/breakers/parse-breaker-change.ts'
import { operatorActor } from '#domain/audit/audit-entry.ts'
import { formatUsd, type NanoUsd } from '#domain/money/nano-usd.ts'
import { malformed } from '#errors/malformed.ts'
import type { Announce } from '#ports/announce.ts'
import type { PersonalBreaker, UserListing, Users } from '#ports/people.ts'
import { readUser } from './read-user.ts'

/** The personal spend breaker, per minute and per hour. */
export async function setBreaker(
  deps: { users: Users; announce: Announce },
  input: { reference: string; breaker: PersonalBreaker },
): Promise<UserListing> {
  judgeLimit('minute', input.breaker.minute)
  judgeLimit('hour', input.breaker.hour)
  const user = await readUser(deps.users, input.reference)
  const change = { userId: user.id, change: input.breaker, actor: operatorActor, requestId: null }
  return { ...user, breaker: await changePersonalBreaker(deps, change) }
}

function judgeLimit(window: string, limit: NanoUsd | null): void {
  if (limit === null || limit >= breakerLimitMin) return
  throw malformed(`The breaker's limit per ${window} must be at least ${formatUsd(breakerLimitMin)} USD.`)
}
