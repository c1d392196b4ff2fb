import { assert } from '#lib/assert.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { Principal } from './principal.ts'

/** The owner of keys: a person or an organization. */
export type KeyAccount =
  | { readonly kind: 'user'; readonly userId: Uuid }
  | { readonly kind: 'organization'; readonly organizationId: Uuid }

export function keyAccountOf({ organizationId, userId }: Principal): KeyAccount {
  if (organizationId !== null) return { kind: 'organization', organizationId }
  assert(userId !== null, 'a key that belongs to no organization belongs to a person')
  return { kind: 'user', userId }
}
