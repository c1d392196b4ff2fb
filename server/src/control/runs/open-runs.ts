import { type KeyAccount, keyAccountOf } from '#domain/access/key-account.ts'
import type { Memberships } from '#ports/organizations.ts'
import type { RunScope } from '#ports/runs.ts'
import { openCustomersToChange, openCustomersToRead } from '../end-customers/open-customers.ts'
import type { ScopeQuestion } from '../usage/usage-scope.ts'

/**
 * The runs that a client may read: those of its account, or of an organization whose bill the person watches. A key for
 * inference reads only the runs that it created.
 */
export function openRunsToRead(memberships: Memberships, question: ScopeQuestion): Promise<RunScope> {
  return openScope(question, () => openCustomersToRead(memberships, question))
}

/** The runs that a client may create and stop: as for reading, but an organization's only for its administrators. */
export function openRunsToChange(memberships: Memberships, question: ScopeQuestion): Promise<RunScope> {
  return openScope(question, () => openCustomersToChange(memberships, question))
}

async function openScope({ client, organization }: ScopeQuestion, open: () => Promise<KeyAccount>): Promise<RunScope> {
  if (organization === null && client.kind === 'key' && client.principal.keyType === 'standard') {
    return { account: keyAccountOf(client.principal), keyId: client.principal.keyId }
  }
  return { account: await open(), keyId: null }
}
