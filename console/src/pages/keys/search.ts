import { pickKnown } from '../../lib/pick-known.ts'
import { type OwnerSearch, pickOwner } from '../../lib/pick-owner.ts'

export const keySorts = ['-created', 'created', 'name', '-name'] as const

export interface KeysSearch extends OwnerSearch {
  /** Part of a name, the end of a secret, or an id. */
  readonly q?: string
  readonly sort?: (typeof keySorts)[number]
  /** Only keys of no member and no team. */
  readonly shared?: true
  /** Whether the dialog for a new key is open. */
  readonly create?: true
}

export function parseKeysSearch(search: Record<string, unknown>): KeysSearch {
  const { q, sort, shared, create } = search
  return {
    ...(typeof q === 'string' && q !== '' ? { q } : {}),
    ...pickKnown('sort', keySorts, sort),
    ...pickOwner(search),
    ...(shared === true ? { shared } : {}),
    ...(create === true ? { create } : {}),
  }
}
