import { pickKnown } from '../../lib/pick-known.ts'

const sorts = ['joined', '-joined'] as const

export interface MembersSearch {
  /** Part of a name or an email address. */
  readonly q?: string
  /** The id of a team, or `none`. */
  readonly team?: string
  readonly sort?: (typeof sorts)[number]
  /** Only members who have spent nothing this month. */
  readonly idle?: true
  /** Whether the dialog for a new member is open. */
  readonly add?: true
  /** Whether the dialog for invitations is open. */
  readonly invite?: true
}

export function parseMembersSearch({ q, team, sort, idle, add, invite }: Record<string, unknown>): MembersSearch {
  return {
    ...(typeof q === 'string' && q !== '' ? { q } : {}),
    ...(typeof team === 'string' && team !== '' ? { team } : {}),
    ...pickKnown('sort', sorts, sort),
    ...(idle === true ? { idle } : {}),
    ...(add === true ? { add } : {}),
    ...(invite === true ? { invite } : {}),
  }
}
