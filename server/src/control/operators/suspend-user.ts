import type { Announce } from '#ports/announce.ts'
import type { ChangeAuthor } from '#ports/keys.ts'
import type { UserListing, Users } from '#ports/people.ts'
import { platformEntry } from './platform-entry.ts'
import { missingUser, readUser } from './read-user.ts'

/** A suspended user's keys are refused with 403 until the suspension is lifted; nothing else of the account changes. */
export async function suspendUser(
  deps: { users: Users; announce: Announce },
  input: { reference: string; suspended: boolean },
  author: ChangeAuthor,
): Promise<UserListing> {
  const user = await readUser(deps.users, input.reference)
  const action = input.suspended ? 'user.suspend' : 'user.unsuspend'
  const entry = platformEntry(author, { action, target: { kind: 'user', id: user.id } })
  if (!(await deps.users.setSuspended(user.id, input.suspended, entry))) throw missingUser(input.reference)
  await deps.announce({ userId: user.id })
  return { ...user, suspended: input.suspended }
}
