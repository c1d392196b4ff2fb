import { expect, it } from 'vitest'
import { asGatewayError, GatewayError } from './gateway-error.ts'

it('[B5] a refusal has no stack, and leaves that of other errors alone', () => {
  const limit = Error.stackTraceLimit
  const refusal = new GatewayError('unauthenticated', { message: 'Who are you?' })
  expect(refusal.stack).toMatch(/^\w+: Who are you\?$/)
  expect(Error.stackTraceLimit).toBe(limit)
  expect(new Error('other').stack).toContain('gateway-error.test.ts')
})

it('a fault that was not foreseen keeps its stack, and so does what caused it', () => {
  const fault = asGatewayError(new Error('a bug'))
  expect(fault.stack).toContain('asGatewayError')
  expect(fault.inside).toContain('gateway-error.test.ts')
})
