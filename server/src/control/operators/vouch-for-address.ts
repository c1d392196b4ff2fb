import { operatorActor, platformChain } from '#domain/audit/audit-entry.ts'
import type { PersonAccounts, UserListing, Users } from '#ports/people.ts'
import { missingUser, readUser } from './read-user.ts'

/** The operator knows that the address is the person's, as where no mail can be sent to prove it. */
export async function vouchForAddress(
  deps: { users: Users; accounts: PersonAccounts },
  reference: string,
): Promise<UserListing> {
  const user = await readUser(deps.users, reference)
  const isVerified = await deps.accounts.verifyAddress(user.id, {
    chainId: platformChain,
    actor: operatorActor,
    requestId: null,
    action: 'user.verify',
    target: { kind: 'user', id: user.id },
  })
  if (!isVerified) throw missingUser(reference)
  return user
}
