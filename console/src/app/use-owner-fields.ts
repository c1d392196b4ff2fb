import { useQuery } from '@tanstack/react-query'
import { findMembers, findTeams, memberChoiceQuery, teamChoiceQuery } from '../api/find-owners.ts'
import type { FilterField } from '../ui/filter-field.ts'
import { useWallet } from './wallet.ts'
import { mayAct } from './wallet-rights.ts'

/** Filters by member and team, for roles that may list them. The chips name whom the ids in the URL mean. */
export function useOwnerFields(search: { readonly member?: string; readonly team?: string }): readonly FilterField[] {
  const wallet = useWallet()
  const { organizationId } = wallet
  const member = useQuery({
    ...memberChoiceQuery(organizationId ?? '', search.member ?? ''),
    enabled: organizationId !== null && search.member !== undefined,
  })
  const team = useQuery({
    ...teamChoiceQuery(organizationId ?? '', search.team ?? ''),
    enabled: organizationId !== null && search.team !== undefined,
  })
  if (organizationId === null || !mayAct(wallet, 'members.read')) return []
  const known = (choice: typeof member.data) => (choice === undefined || choice === null ? [] : [choice])
  return [
    { name: 'member', label: 'Member', type: 'choice', choices: known(member.data), find: findMembers(organizationId) },
    { name: 'team', label: 'Team', type: 'choice', choices: known(team.data), find: findTeams(organizationId) },
  ]
}
