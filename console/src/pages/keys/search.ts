import { pickKnown } from '../../lib/pick-known.ts'

export const keySorts = ['-created', 'created', 'name', '-name'] as const

export interface KeysSearch {
  /** Part of a name, the end of a secret, or an id. */
  readonly q?: string
  readonly sort?: (typeof keySorts)[number]
  /** Whether the dialog for a new key is open. */
  readonly create?: true
}

export function parseKeysSearch({ q, sort, create }: Record<string, unknown>): KeysSearch {
  return {
    ...(typeof q === 'string' && q !== '' ? { q } : {}),
    ...pickKnown('sort', keySorts, sort),
    ...(create === true ? { create } : {}),
  }
}
