import { describe, expect, it } from 'vitest'
import type { ErrorName } from '#errors/catalogue.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { endsSession } from './ends-session.ts'

describe('the end of a realtime session', () => {
  it.each<[ErrorName, boolean]>([
    ['unauthenticated', true],
    ['accountSuspended', true],
    ['modelNotAllowed', true],
    ['insufficientCredits', true],
    ['budgetCapReached', true],
    ['runStopped', true],
    ['spendBreakerTripped', true],
    ['brakeEngaged', true],
    ['contentFilter', false],
    ['contentModeration', false],
    ['rateLimited', false],
    ['maxCostTooLow', false],
    ['malformedRequest', false],
    ['storeUnavailable', false],
  ])('[NEXT-208] comes after %s: %s', (name, ends) => {
    expect(endsSession(new GatewayError(name, { message: '' }))).toBe(ends)
  })
})
