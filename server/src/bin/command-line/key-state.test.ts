import { expect, it } from 'vitest'
import { keyState } from './key-state.ts'

it.each([
  [false, true, 'enabled'],
  [false, false, 'disabled'],
  [true, true, 'revoked'],
  [true, false, 'revoked'],
])('a key with revoked %s and enabled %s is %s', (revoked, enabled, state) => {
  expect(keyState({ revoked, enabled })).toBe(state)
})
