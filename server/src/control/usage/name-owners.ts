import type { Uuid } from '#lib/uuid.ts'
import type { MemberPerson, UsageSubjects } from '#ports/usage.ts'

/** The owner of a request as it is stored. */
interface Owned {
  readonly keyId: Uuid
  readonly memberId: Uuid | null
  readonly teamId: Uuid | null
}

/** The owner of a request by name. */
export interface NamedOwner {
  /** Null if the key is no longer stored. */
  readonly keyName: string | null
  readonly member: MemberPerson | null
  /** A deleted team keeps its id and has no name. */
  readonly team: { readonly id: Uuid; readonly name: string | null } | null
}

/** Names the keys, members and teams of a wallet's requests, with one query for each kind that occurs. */
export async function nameOwners(
  subjects: UsageSubjects,
  walletId: Uuid,
  requests: readonly Owned[],
): Promise<(request: Owned) => NamedOwner> {
  const [keyIds, memberIds, teamIds] = (['keyId', 'memberId', 'teamId'] as const).map((field) => [
    ...new Set(requests.flatMap((request) => request[field] ?? [])),
  ]) as [Uuid[], Uuid[], Uuid[]]
  const [keys, people, teams] = await Promise.all([
    keyIds.length === 0 ? new Map<Uuid, string>() : subjects.readKeyNames({ walletId, keyIds }),
    memberIds.length === 0 ? new Map<Uuid, MemberPerson>() : subjects.readPeople({ walletId, memberIds }),
    teamIds.length === 0 ? new Map<Uuid, string>() : subjects.readTeamNames({ walletId, teamIds }),
  ])
  return ({ keyId, memberId, teamId }) => ({
    keyName: keys.get(keyId) ?? null,
    member: memberId === null ? null : (people.get(memberId) ?? null),
    team: teamId === null ? null : { id: teamId, name: teams.get(teamId) ?? null },
  })
}
