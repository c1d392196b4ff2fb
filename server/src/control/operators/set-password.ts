import { randomBytes } from 'node:crypto'
import { operatorActor, platformChain } from '#domain/audit/audit-entry.ts'
import type { PersonAccounts, UserListing, Users } from '#ports/people.ts'
import { missingUser, readUser } from './read-user.ts'

/** A new password, made here and shown once; the person is signed out everywhere. */
export async function setPassword(
  deps: { users: Users; accounts: PersonAccounts },
  { reference, dropSecondFactor }: { reference: string; dropSecondFactor: boolean },
): Promise<{ user: UserListing; password: string }> {
  const user = await readUser(deps.users, reference)
  const password = randomBytes(15).toString('base64url')
  const isSet = await deps.accounts.setPassword(
    user.id,
    { password, dropSecondFactor },
    {
      chainId: platformChain,
      actor: operatorActor,
      requestId: null,
      action: 'user.password.set',
      target: { kind: 'user', id: user.id },
      details: { secondFactorDropped: dropSecondFactor },
    },
  )
  if (!isSet) throw missingUser(reference)
  return { user, password }
}
