import { Type } from 'typebox'
import type { NamedOwner } from '#control/usage/name-owners.ts'
import type { JsonObject } from '#lib/json.ts'
import { optionalText } from './schema-types.ts'

/** The fields that tell who made a request. */
export const ownerFields = {
  api_key_name: optionalText('Name of the API key, or null if the key is no longer stored.'),
  member: Type.Union([Type.Object({ id: Type.String(), name: Type.String(), email: Type.String() }), Type.Null()], {
    description: 'Member of the organization who made the request, or null for personal and shared keys.',
  }),
  team: Type.Union(
    [Type.Object({ id: Type.String(), name: optionalText('Null if the team was deleted.') }), Type.Null()],
    { description: 'Team that the request counts for, or null.' },
  ),
}

export function renderOwner({ keyName, member, team }: NamedOwner): JsonObject {
  return {
    api_key_name: keyName,
    member: member === null ? null : { id: member.memberId, name: member.name, email: member.email },
    team: team === null ? null : { ...team },
  }
}
