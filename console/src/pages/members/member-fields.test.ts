import { describe, expect, it } from 'vitest'
import { changeOf, fieldsOf, type MemberFields, roleChoices } from './member-fields.ts'

const before: MemberFields = { email: 'a@b.c', role: 'member', team: 't1', budget: '12.5' }

describe('the change of a member', () => {
  it.each<[string, Partial<MemberFields>, object]>([
    ['nothing', {}, {}],
    ['the same amount in other digits', { budget: ' 12.50 ' }, {}],
    ['the role alone', { role: 'team_admin' }, { role: 'team_admin' }],
    ['no team', { team: '' }, { teamId: null }],
    ['no budget', { budget: ' ' }, { monthlyBudget: null }],
  ])('sends %s', (_name, after, change) => {
    expect(changeOf(before, { ...before, ...after })).toEqual(change)
  })

  it('sends an amount digit by digit', () => {
    const change = changeOf(before, { ...before, budget: '0.000000001' })
    expect(JSON.stringify(change)).toBe('{"monthlyBudget":0.000000001}')
  })
})

it('shows a member without team and budget as empty fields', () => {
  const user = { id: 'u', name: 'Ada', email: 'a@b.c' }
  expect(fieldsOf({ user, role: 'member', team: null, monthlyBudget: null })).toEqual({
    email: 'a@b.c',
    role: 'member',
    team: '',
    budget: '',
  })
})

it('offers a team admin only the roles of a team', () => {
  expect(roleChoices(true).map(({ value }) => value)).toEqual(['member', 'team_admin'])
  expect(roleChoices(false)).toHaveLength(4)
})
