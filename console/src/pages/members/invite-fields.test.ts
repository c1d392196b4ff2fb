import { expect, it } from 'vitest'
import { inviteBodyOf, type InviteFields } from './invite-fields.ts'

const fields: InviteFields = {
  way: 'email',
  email: '',
  addresses: 'a@b.c, d@e.f',
  usesMax: '5',
  domain: '',
  role: 'member',
  team: 't1',
  budget: '',
  days: '7',
}

it.each<[Partial<InviteFields>, boolean, object]>([
  [{}, false, { emails: ['a@b.c', 'd@e.f'], role: 'member', teamId: 't1', monthlyBudget: null, expiresInDays: 7 }],
  [{}, true, { emails: ['a@b.c', 'd@e.f'], role: 'member', expiresInDays: 7 }],
  [
    { team: '' },
    false,
    { emails: ['a@b.c', 'd@e.f'], role: 'member', teamId: null, monthlyBudget: null, expiresInDays: 7 },
  ],
  [
    { way: 'link', domain: ' example.com ', days: '1' },
    false,
    { usesMax: 5, domain: 'example.com', role: 'member', teamId: 't1', monthlyBudget: null, expiresInDays: 1 },
  ],
  [{ way: 'link' }, true, { usesMax: 5, domain: null, role: 'member', expiresInDays: 7 }],
])('%j by a team admin: %s', (change, isTeamAdmin, body) => {
  expect(inviteBodyOf({ ...fields, ...change }, { isTeamAdmin })).toEqual(body)
})

it('sends the budget of a team admin digit by digit', () => {
  const { monthlyBudget } = inviteBodyOf({ ...fields, budget: '0.000000001' }, { isTeamAdmin: true })
  expect(JSON.stringify(monthlyBudget)).toBe('0.000000001')
})
