import type { Role } from '#domain/access/roles.ts'

export type DemoTeamName = 'Research' | 'Support' | 'Platform'

interface DemoTeam {
  readonly name: DemoTeamName
  readonly costCenterCode: string
  readonly description: string
  /** Its monthly budget, as a percentage of what the demo's history spends this month. Null for no budget. */
  readonly budgetPercent: number | null
}

export const demoTeams: readonly DemoTeam[] = [
  { name: 'Research', costCenterCode: 'CC-1', description: 'Prototypes and evaluations', budgetPercent: 160 },
  { name: 'Support', costCenterCode: 'CC-2', description: 'Answers to customers', budgetPercent: 104 },
  { name: 'Platform', costCenterCode: 'CC-2', description: 'Code review and summaries', budgetPercent: null },
]

export interface DemoPerson {
  readonly email: string
  readonly name: string
  readonly role: Role
  readonly team: DemoTeamName | null
  /** Share of the organization's requests. */
  readonly share: number
  readonly budgetPercent: number | null
  readonly suspended?: true
}

/** The member whose key `weir dev` prints. */
export const demoMember = 'member@example.com'

export const demoPeople: readonly DemoPerson[] = [
  { email: demoMember, name: 'Mo', role: 'member', team: 'Research', share: 18, budgetPercent: 240 },
  {
    email: 'ines@example.com',
    name: 'Ines Costa',
    role: 'team_admin',
    team: 'Research',
    share: 22,
    budgetPercent: null,
  },
  { email: 'priya@example.com', name: 'Priya Nair', role: 'member', team: 'Support', share: 26, budgetPercent: 102 },
  { email: 'tom@example.com', name: 'Tom Okafor', role: 'member', team: 'Support', share: 10, budgetPercent: 130 },
  {
    email: 'lena@example.com',
    name: 'Lena Fischer',
    role: 'team_admin',
    team: 'Platform',
    share: 20,
    budgetPercent: null,
  },
  { email: 'sam@example.com', name: 'Sam Reyes', role: 'member', team: 'Platform', share: 0, budgetPercent: null },
  { email: 'noor@example.com', name: 'Noor Haddad', role: 'billing_viewer', team: null, share: 0, budgetPercent: null },
  {
    email: 'kai@example.com',
    name: 'Kai Brandt',
    role: 'member',
    team: 'Support',
    share: 4,
    budgetPercent: null,
    suspended: true,
  },
]
