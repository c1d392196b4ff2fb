import { expect, it } from 'vitest'
import { errorCode } from './error-code.ts'

it('is what the error says, and nothing of its text', () => {
  expect(errorCode(Object.assign(new Error('to a@example.org'), { code: 'EENVELOPE' }))).toBe('EENVELOPE')
  expect(errorCode(new Error('to a@example.org'))).toBe('unknown')
  expect(errorCode('to a@example.org')).toBe('unknown')
})
