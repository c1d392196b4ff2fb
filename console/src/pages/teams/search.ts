import { pickKnown } from '../../lib/pick-known.ts'

const sorts = ['name', '-name', 'created', '-created'] as const

interface TeamsSearch {
  /** Part of a name. */
  readonly q?: string
  readonly sort?: (typeof sorts)[number]
  /** Whether the dialog for a new team is open. */
  readonly create?: true
}

export function parseTeamsSearch({ q, sort, create }: Record<string, unknown>): TeamsSearch {
  return {
    ...(typeof q === 'string' && q !== '' ? { q } : {}),
    ...pickKnown('sort', sorts, sort),
    ...(create === true ? { create } : {}),
  }
}
