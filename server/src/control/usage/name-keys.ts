import type { Uuid } from '#lib/uuid.ts'
import type { UsageSubjects } from '#ports/usage.ts'
import type { NamedSums } from './add-up.ts'

export type KeySums = NamedSums<Uuid> & WithKeyName

interface WithKeyName {
  readonly keyName: string
}

/** Keys that were deleted keep what they used, and their names; one that is not stored any more has none of its own. */
export async function nameKeys<Key extends NamedSums<Uuid>>(
  subjects: UsageSubjects,
  walletId: Uuid,
  keys: readonly Key[],
): Promise<(Key & WithKeyName)[]> {
  if (keys.length === 0) return []
  const names = await subjects.readKeyNames({ walletId, keyIds: keys.map(({ name }) => name) })
  return keys.map((key) => ({ ...key, keyName: names.get(key.name) ?? 'deleted key' }))
}
