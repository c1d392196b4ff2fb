import { expect, it } from 'vitest'
import { parseInvalidation } from './invalidation.ts'

it('an invalidation survives the wire', () => {
  for (const invalidation of [
    { keyHash: 'ab' },
    { walletId: 'w', userId: 'u' },
    { organizationId: 'o' },
    { all: true },
  ]) {
    expect(parseInvalidation(JSON.stringify(invalidation))).toEqual(invalidation)
  }
})

it('[P14] a message that speaks of everything drops everything, whatever else it names', () => {
  expect(parseInvalidation('{"all":true,"keyHash":"ab"}')).toEqual({ all: true })
  expect(parseInvalidation('{"all":false,"keyHash":"ab"}')).toEqual({ keyHash: 'ab' })
})

it.each(['', 'null', '[]', '{}', '{"keyHash":7}', 'nonsense'])('[P14] the message %s drops everything', (text) => {
  expect(parseInvalidation(text)).toEqual({ all: true })
})
