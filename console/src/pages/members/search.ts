import { pickKnown } from '../../lib/pick-known.ts'

const sorts = ['joined', '-joined'] as const

export interface MembersSearch {
  /** Part of a name or an email address. */
  readonly q?: string
  /** The id of a team, or `none`. */
  readonly team?: string
  readonly sort?: (typeof sorts)[number]
  /** Whether the dialog for a new member is open. */
  readonly add?: true
}

export function parseMembersSearch({ q, team, sort, add }: Record<string, unknown>): MembersSearch {
  return {
    ...(typeof q === 'string' && q !== '' ? { q } : {}),
    ...(typeof team === 'string' && team !== '' ? { team } : {}),
    ...pickKnown('sort', sorts, sort),
    ...(add === true ? { add } : {}),
  }
}
