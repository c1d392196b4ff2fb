import { expect, it } from 'vitest'
import { createPersonIdentity } from './person-identity.ts'

const one = createPersonIdentity({ masterSecret: 'one secret of many characters', sendsMail: true })
const other = createPersonIdentity({ masterSecret: 'another of many characters', sendsMail: false })

it.each([
  ['ada@example.com', true],
  ['ADA@Example.com', true],
  ['ada+offers@example.com', true],
  ['eda@example.com', false],
  ['ada@example.org', false],
])('C11: knows ada@example.com by %s: %s', (email, isSame) => {
  expect(one.hashAddress(email).equals(one.hashAddress('ada@example.com'))).toBe(isSame)
})

it('cannot be compared without the secret, and asks for proof only where mail can be sent', () => {
  expect(one.hashAddress('ada@example.com')).toHaveLength(32)
  expect(one.hashAddress('ada@example.com')).not.toEqual(other.hashAddress('ada@example.com'))
  expect([one.mustBeProven, other.mustBeProven]).toEqual([true, false])
})
