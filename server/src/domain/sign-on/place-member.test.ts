import { expect, it } from 'vitest'
import { placeMember } from './place-member.ts'

const mappings = [
  { group: 'Finance', teamId: null, role: 'billing_viewer' },
  { group: 'Engineers', teamId: 'team-1', role: 'member' },
  { group: 'Leads', teamId: 'team-1', role: 'team_admin' },
] as const
const finance = { role: 'billing_viewer', teamId: null }
const engineer = { role: 'member', teamId: 'team-1' }
const plain = { role: 'member', teamId: null }

it.each([
  // groups, role before, placed by before, place, placed by
  [['Engineers'], null, null, engineer, 'Engineers'],
  [['Leads', 'Engineers'], null, null, engineer, 'Engineers'],
  [['Leads', 'Finance'], 'member', null, finance, 'Finance'],
  [['Leads'], 'member', 'Engineers', { role: 'team_admin', teamId: 'team-1' }, 'Leads'],
  [['Sales'], null, null, null, null],
  [['Sales'], 'team_admin', null, null, null],
  [['Sales'], 'team_admin', 'Leads', plain, null],
  [[], 'billing_viewer', 'Finance', plain, null],
  [['engineers'], 'member', null, null, null],
  [null, 'billing_viewer', 'Finance', null, 'Finance'],
  [null, null, null, null, null],
  [['Engineers'], 'org_admin', null, null, null],
  [[], 'org_admin', 'Finance', null, null],
] as const)('groups %j of a %s placed by %s give %j', (groups, role, placedBy, place, by) => {
  expect(placeMember({ groups, mappings, role, placedBy })).toEqual({ place, placedBy: by })
})
