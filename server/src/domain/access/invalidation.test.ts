import { expect, it } from 'vitest'
import { parseInvalidation } from './invalidation.ts'

it('an invalidation survives the wire', () => {
  for (const invalidation of [{ keyHash: 'ab' }, { walletId: 'w', userId: 'u' }, { all: true }]) {
    expect(parseInvalidation(JSON.stringify(invalidation))).toEqual(invalidation)
  }
})

it.each(['', 'null', '[]', '{}', '{"keyHash":7}', 'nonsense'])('[P14] the message %s drops everything', (text) => {
  expect(parseInvalidation(text)).toEqual({ all: true })
})
