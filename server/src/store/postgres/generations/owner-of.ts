import type { UsageScope } from '#domain/usage/usage-scope.ts'
import type { Uuid } from '#lib/uuid.ts'

/** The member and the key that a scope is narrowed to, as parameters; null narrows nothing. */
export function ownerOf({ only }: UsageScope): [memberId: Uuid | null, keyId: Uuid | null] {
  if (only === null) return [null, null]
  return 'memberId' in only ? [only.memberId, null] : [null, only.keyId]
}
