import type { Key } from '../../api/keys.ts'

type Owned = Pick<Key, 'member' | 'team' | 'keyType'>

/** The member or team that a key belongs to, in words. */
export function ownerWords({ member = null, team = null }: Owned): string {
  if (member !== null) return member.name
  return team?.name ?? 'Shared'
}
