import { formatUsd, type NanoUsd, nanoUsd } from '#domain/money/nano-usd.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { Announce } from '#ports/announce.ts'
import type { PersonalBreaker, UserListing, Users } from '#ports/users.ts'
import { readUser } from './read-user.ts'

const leastLimit = nanoUsd(10_000_000n)

/** The personal spend breaker, per minute and per hour. */
export async function setBreaker(
  deps: { users: Users; announce: Announce },
  input: { reference: string; breaker: PersonalBreaker },
): Promise<UserListing> {
  judgeLimit('minute', input.breaker.minute)
  judgeLimit('hour', input.breaker.hour)
  const user = await readUser(deps.users, input.reference)
  await deps.users.setBreaker(user.id, input.breaker)
  await deps.announce({ userId: user.id })
  return { ...user, breaker: input.breaker }
}

function judgeLimit(window: string, limit: NanoUsd | null): void {
  if (limit === null || limit >= leastLimit) return
  throw new GatewayError('malformedRequest', {
    message: `The breaker's limit per ${window} must be at least ${formatUsd(leastLimit)} USD.`,
  })
}
