import { breakerDefaults } from '#domain/access/breaker.ts'
import { breakerJson } from '#domain/access/breaker-json.ts'
import { type Actor, platformChain } from '#domain/audit/audit-entry.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { Announce } from '#ports/announce.ts'
import type { PersonalBreaker, Users } from '#ports/people.ts'
import type { BreakerChange } from './parse-breaker-change.ts'

/** The spend breaker over all keys of a person. The platform's log tells of the change, as it is in no organization. */
export async function changePersonalBreaker(
  deps: { users: Pick<Users, 'changeBreaker'>; announce: Announce },
  input: { userId: Uuid; change: BreakerChange; actor: Actor; requestId: string | null },
): Promise<PersonalBreaker> {
  const { userId, change, actor, requestId } = input
  const changed = await deps.users.changeBreaker(userId, settingsOf(change), (before, after) => ({
    chainId: platformChain,
    actor,
    requestId,
    action: 'user.cb.update',
    target: { kind: 'user', id: userId },
    before: breakerJson(before),
    after: breakerJson(after),
  }))
  if (changed === null) throw new GatewayError('notFound', { message: 'There is no such user.' })
  await deps.announce({ userId })
  return changed
}

// Beside the platform there is nothing to inherit the switch from.
function settingsOf({ enabled, ...limits }: BreakerChange): Partial<PersonalBreaker> {
  return enabled === undefined ? limits : { ...limits, enabled: enabled ?? breakerDefaults.enabled }
}
