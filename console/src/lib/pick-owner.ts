import { isUuid } from './is-uuid.ts'

/** Ids of a member or team of the organization. */
export interface OwnerSearch {
  readonly member?: string
  readonly team?: string
}

/** The valid ids of an owner in search parameters. */
export function pickOwner({ member, team }: Record<string, unknown>): OwnerSearch {
  return {
    ...(typeof member === 'string' && isUuid(member) ? { member } : {}),
    ...(typeof team === 'string' && isUuid(team) ? { team } : {}),
  }
}
