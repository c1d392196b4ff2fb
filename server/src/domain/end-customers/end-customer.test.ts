import { expect, it } from 'vitest'
import { isExternalId } from './end-customer.ts'

it.each(['a', '7', 'user-1', 'a.b', '...', 'Acme:eu@x+y~z=1|_', 'x'.repeat(128)])(
  '%j is the id of a customer',
  (id) => {
    expect(isExternalId(id)).toBe(true)
  },
)

it.each(['', '.', '..', 'a b', 'a/b', 'a?b', 'ü', 'a\n', 'x'.repeat(129)])('%j is not the id of a customer', (id) => {
  expect(isExternalId(id)).toBe(false)
})
