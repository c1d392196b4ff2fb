import type { Uuid } from '#lib/uuid.ts'
import type { KeyHolder } from '#ports/keys.ts'

interface AccountValues {
  readonly userId: Uuid | null
  readonly organizationId: Uuid | null
  readonly memberId: Uuid | null
}

/** The conditions on a key's columns that an account implies; null means any value. */
export function accountValues(account: KeyHolder | null): AccountValues {
  const none = { userId: null, organizationId: null, memberId: null }
  switch (account?.kind) {
    case undefined:
      return none
    case 'user':
      return { ...none, userId: account.userId }
    case 'organization':
      return { ...none, organizationId: account.organizationId }
    case 'member':
      return { ...none, organizationId: account.organizationId, memberId: account.memberId }
  }
}
