import { useQuery } from '@tanstack/react-query'
import { findMembers, findTeams, memberChoice, teamChoice } from '../api/find-owners.ts'
import { memberQuery } from '../api/members.ts'
import { teamQuery } from '../api/teams.ts'
import type { OwnerSearch } from '../lib/pick-owner.ts'
import type { Choice } from '../ui/field.tsx'
import type { FilterField } from '../ui/filter-field.ts'
import { useWallet } from './wallet.ts'
import { mayAct } from './wallet-rights.ts'

/** Filters by member and team, for roles that may list them. The chips name whom the ids in the URL mean. */
export function useOwnerFields(search: OwnerSearch): readonly FilterField[] {
  const wallet = useWallet()
  const { organizationId } = wallet
  const member = useQuery({
    ...memberQuery(organizationId ?? '', search.member ?? ''),
    select: memberChoice,
    enabled: organizationId !== null && search.member !== undefined,
  })
  const team = useQuery({
    ...teamQuery(organizationId ?? '', search.team ?? ''),
    select: teamChoice,
    enabled: organizationId !== null && search.team !== undefined,
  })
  if (organizationId === null || !mayAct(wallet, 'members.read')) return []
  return [
    { name: 'member', label: 'Member', type: 'choice', choices: known(member.data), find: findMembers(organizationId) },
    { name: 'team', label: 'Team', type: 'choice', choices: known(team.data), find: findTeams(organizationId) },
  ]
}

function known(choice: Choice | undefined): readonly Choice[] {
  return choice === undefined ? [] : [choice]
}
