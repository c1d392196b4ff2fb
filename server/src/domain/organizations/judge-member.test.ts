import { describe, expect, it } from 'vitest'
import type { Grant } from '#domain/access/judge-access.ts'
import { roles } from '#domain/access/roles.ts'
import { judgeMember, type MemberState } from './judge-member.ts'

const [own, other] = ['0190c5a0-0000-7000-8000-000000000001', '0190c5a0-0000-7000-8000-000000000002']
const everything: Grant = { reach: 'organization' }
const ownTeam: Grant = { reach: 'own_team', teamId: own }

const states: MemberState[] = [
  null,
  ...roles.flatMap((role) => [own, other, null].map((teamId) => ({ role, teamId, suspended: false }))),
]
const changes = states.flatMap((before) => states.map((after) => ({ before, after })))

function verdictOf(grant: Grant, change: { before: MemberState; after: MemberState }, otherAdmins = 1) {
  const verdict = judgeMember(grant, { ...change, otherAdmins })
  return verdict.allowed ? 'allowed' : verdict.refusal
}

function isWithin(state: MemberState): boolean {
  return state === null || (state.teamId === own && (state.role === 'member' || state.role === 'team_admin'))
}

describe('what becomes of a member', () => {
  it('[ORG-09] is for a team_admin to decide only within the own team and below the own reach', () => {
    for (const change of changes) {
      const expected = isWithin(change.before) && isWithin(change.after) ? 'allowed' : 'forbidden'
      expect(verdictOf(ownTeam, change), JSON.stringify(change)).toBe(expected)
    }
  })

  it('[MEMBER-04] cannot be a team_admin without a team', () => {
    for (const change of changes) {
      const isLost = change.after?.role === 'team_admin' && change.after.teamId === null
      expect(verdictOf(everything, change), JSON.stringify(change)).toBe(isLost ? 'malformedRequest' : 'allowed')
    }
  })

  it.each(['billing_viewer', 'member', null] as const)(
    '[MEMBER-08] [MEMBER-09] is not %s for the last org_admin',
    (role) => {
      const before = { role: 'org_admin', teamId: null, suspended: false } as const
      const after = role === null ? null : { role, teamId: null, suspended: false }
      expect(verdictOf(everything, { before, after }, 0)).toBe('malformedRequest')
      expect(verdictOf(everything, { before, after }, 1)).toBe('allowed')
    },
  )

  it('may be a new team or budget also for the last org_admin', () => {
    const before = { role: 'org_admin', teamId: null, suspended: false } as const
    expect(verdictOf(everything, { before, after: { ...before, teamId: own } }, 0)).toBe('allowed')
  })

  // An administrator with access who loses it, in any way, must not be the last one.
  it.each([
    ['org_admin', false, 'org_admin', true, 'malformedRequest'],
    ['org_admin', false, 'member', true, 'malformedRequest'],
    ['org_admin', true, 'org_admin', false, 'allowed'],
    ['org_admin', true, 'member', true, 'allowed'],
    ['member', false, 'member', true, 'allowed'],
    ['member', true, 'org_admin', false, 'allowed'],
    ['member', false, 'org_admin', true, 'allowed'],
  ] as const)('from %s (suspended: %s) to %s (%s) is %s without another org_admin', (role, was, next, is, verdict) => {
    const before = { role, teamId: null, suspended: was }
    const after = { role: next, teamId: null, suspended: is }
    expect(verdictOf(everything, { before, after }, 0)).toBe(verdict)
    expect(verdictOf(everything, { before, after }, 1)).toBe('allowed')
  })
})
