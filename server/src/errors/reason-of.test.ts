import { expect, it } from 'vitest'
import { GatewayError } from './gateway-error.ts'
import { reasonOf } from './reason-of.ts'

it.each([
  ['modelNotServed', 'upstream_unavailable'],
  ['accountSuspended', 'account_suspended'],
  ['internal', 'internal'],
] as const)('[NEXT-243] the reason of %s is %s', (name, reason) => {
  expect(reasonOf(new GatewayError(name, { message: 'a' }))).toBe(reason)
})

it('[NEXT-243] tells no more than a retold message', () => {
  const words = { message: 'told', inside: 'why', reason: 'rate_limit_error' }
  expect(reasonOf(new GatewayError('spendBreakerTripped', { message: 'a' }).retold(words))).toBe('rate_limit_error')
  expect(reasonOf(new GatewayError('budgetCapReached', { message: 'a' }).retold(words))).toBe('budget_cap_reached')
})
