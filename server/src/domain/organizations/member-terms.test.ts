import { describe, expect, it } from 'vitest'
import type { Role } from '#domain/access/roles.ts'
import { type NanoUsd, nanoUsd } from '#domain/money/nano-usd.ts'
import { resolveMemberTerms } from './member-terms.ts'

const [given, ofTeam, ofOrganization] = [nanoUsd(1n), nanoUsd(2n), nanoUsd(3n)]

describe('the terms of a new member', () => {
  it.each<[Role | undefined, 'member' | 'team_admin' | null | 'none', 'member' | 'billing_viewer', Role]>([
    ['org_admin', 'team_admin', 'billing_viewer', 'org_admin'],
    ['org_admin', null, 'billing_viewer', 'org_admin'],
    ['org_admin', 'none', 'billing_viewer', 'org_admin'],
    [undefined, 'team_admin', 'billing_viewer', 'team_admin'],
    [undefined, null, 'billing_viewer', 'billing_viewer'],
    [undefined, 'none', 'billing_viewer', 'billing_viewer'],
    [undefined, 'none', 'member', 'member'],
  ])('given role %s, team default %s and organization default %s: %s', (role, teamRole, organizationRole, expected) => {
    const team = teamRole === 'none' ? null : { id: 'team', defaultRole: teamRole, defaultMonthlyBudget: null }
    const organization = { defaultRole: organizationRole, defaultMonthlyBudget: null }
    const teamId = team === null ? null : 'team'
    expect(resolveMemberTerms({ role }, { organization, team })).toEqual({
      role: expected,
      teamId,
      monthlyBudget: null,
    })
  })

  it.each<[NanoUsd | null | undefined, NanoUsd | null | 'none', NanoUsd | null, NanoUsd | null]>([
    [given, ofTeam, ofOrganization, given],
    [null, ofTeam, ofOrganization, null],
    [null, 'none', ofOrganization, null],
    [undefined, ofTeam, ofOrganization, ofTeam],
    [undefined, null, ofOrganization, ofOrganization],
    [undefined, 'none', ofOrganization, ofOrganization],
    [undefined, null, null, null],
    [undefined, 'none', null, null],
  ])(
    'given budget %s, team default %s and organization default %s: %s',
    (monthlyBudget, teamBudget, most, expected) => {
      const team = teamBudget === 'none' ? null : { id: 'team', defaultRole: null, defaultMonthlyBudget: teamBudget }
      const organization = { defaultRole: 'member' as const, defaultMonthlyBudget: most }
      expect(resolveMemberTerms({ monthlyBudget }, { organization, team }).monthlyBudget).toBe(expected)
    },
  )
})
