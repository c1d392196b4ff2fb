import type { Announce } from '#ports/announce.ts'
import type { UserListing, Users } from '#ports/users.ts'
import { readUser } from './read-user.ts'

/** A suspended user's keys are refused with 403 until the suspension is lifted; nothing else of the account changes. */
export async function suspendUser(
  deps: { users: Users; announce: Announce },
  input: { reference: string; suspended: boolean },
): Promise<UserListing> {
  const user = await readUser(deps.users, input.reference)
  await deps.users.setSuspended(user.id, input.suspended)
  await deps.announce({ userId: user.id })
  return { ...user, suspended: input.suspended }
}
