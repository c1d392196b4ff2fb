import { expect, it } from 'vitest'
import { forOperators, mayOperate } from './operator-rights.ts'

it.each([
  ['owner', true, true],
  ['support', true, false],
  ['finance', false, true],
  ['read_only', false, false],
  [null, false, false],
] as const)('%s may suspend customers: %s, and add credit: %s', (role, suspends, credits) => {
  expect(mayOperate(role, 'operators.accounts')).toBe(suspends)
  expect(mayOperate(role, 'operators.credit')).toBe(credits)
  const viewed = { kind: 'person', role: null, operatorRole: role } as const
  expect(forOperators('operators.accounts')(viewed)).toBe(suspends)
})

it('shows pages of operators to no administrator of an organization', () => {
  expect(forOperators('operators.health')({ kind: 'organization', role: 'org_admin' })).toBe(false)
})
