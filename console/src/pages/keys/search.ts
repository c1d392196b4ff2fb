import { isUuid } from '../../lib/is-uuid.ts'
import { pickKnown } from '../../lib/pick-known.ts'

export const keySorts = ['-created', 'created', 'name', '-name'] as const

export interface KeysSearch {
  /** Part of a name, the end of a secret, or an id. */
  readonly q?: string
  readonly sort?: (typeof keySorts)[number]
  /** Ids of a member or team of the organization. */
  readonly member?: string
  readonly team?: string
  /** Only keys of no member and no team. */
  readonly shared?: true
  /** Whether the dialog for a new key is open. */
  readonly create?: true
}

export function parseKeysSearch({ q, sort, member, team, shared, create }: Record<string, unknown>): KeysSearch {
  return {
    ...(typeof q === 'string' && q !== '' ? { q } : {}),
    ...pickKnown('sort', keySorts, sort),
    ...(typeof member === 'string' && isUuid(member) ? { member } : {}),
    ...(typeof team === 'string' && isUuid(team) ? { team } : {}),
    ...(shared === true ? { shared } : {}),
    ...(create === true ? { create } : {}),
  }
}
