import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Building2, type LucideIcon, UserRound, Wrench } from 'lucide-react'
import { navigationOf, pathWithin } from './navigation.ts'
import { scopeOf } from './scope-rewrite.ts'
import { useNavigation } from './use-navigation.ts'
import { useOperator } from './use-operator.ts'
import { organizationsQuery, useWallet } from './wallet.ts'

export interface Workspace {
  readonly id: string
  readonly name: string
  readonly icon: LucideIcon
  readonly isCurrent: boolean
  /** Opens the same page there, or its first page if it has no such page. */
  readonly open: () => void
}

/** The person's own pages, those of each organization, and the operator's for people who operate the platform. */
export function useWorkspaces(): readonly Workspace[] {
  const wallet = useWallet()
  const { role: operatorRole } = useOperator()
  const { scope, pathname } = useNavigation()
  const navigate = useNavigate()
  const { data } = useQuery(organizationsQuery)
  const personal = { kind: 'person', role: null } as const
  const go = (to: string, place: string | undefined) => void navigate({ to, search: { scope: place } })
  return [
    {
      id: 'person',
      name: 'Personal',
      icon: UserRound,
      isCurrent: scope === 'person',
      open: () => go(pathWithin(navigationOf('person', personal), pathname), undefined),
    },
    ...(data?.data ?? []).map(({ id, name, slug, role, ownKeysMax: most }) => ({
      id,
      name,
      icon: Building2,
      isCurrent: scope === 'organization' && wallet.organizationId === id,
      open: () => {
        const viewed = { kind: 'organization', role, ownKeysMax: Number(most) } as const
        go(pathWithin(navigationOf('organization', viewed), pathname), scopeOf(slug))
      },
    })),
    ...(operatorRole !== null
      ? [
          {
            id: 'operator',
            name: 'Operator',
            icon: Wrench,
            isCurrent: scope === 'operator',
            open: () => go(pathWithin(navigationOf('operator', { ...personal, operatorRole }), pathname), undefined),
          },
        ]
      : []),
  ]
}
