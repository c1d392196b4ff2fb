import { expect, it } from 'vitest'
import { requestOutcome } from './request-outcome.ts'

it.each([
  [true, null, 'refused'],
  [false, null, 'charged'],
  [false, 'upstream_failed', 'failed'],
  [false, 'gateway_fault', 'failed'],
  [false, 'client_cancelled', 'refunded'],
  [false, 'free_tier', 'refunded'],
] as const)('refused %s, refund %s: %s', (isRefused, refundReason, outcome) => {
  expect(requestOutcome({ isRefused, refundReason })).toBe(outcome)
})
