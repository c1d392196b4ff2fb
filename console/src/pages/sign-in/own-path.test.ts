import { expect, it } from 'vitest'
import { ownPath } from './own-path.ts'

it.each(['/keys', '/o/demo/requests?model=a%2Fb', '/'])('keeps %s', (next) => {
  expect(ownPath(next)).toBe(next)
})

it.each(['//evil.example', 'https://evil.example', '/\\evil.example', 'javascript:alert(1)', '', undefined])(
  'goes home in place of %s',
  (next) => {
    expect(ownPath(next)).toBe('/')
  },
)
