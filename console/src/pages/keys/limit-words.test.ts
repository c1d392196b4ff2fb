import { expect, test } from 'vitest'
import { effectiveInWords, limitInWords } from './limit-words.ts'

test.each([
  ['wallet', null, false, 'Balance'],
  ['key', 'life', false, 'Lifetime limit for this key'],
  ['member', 'month', false, 'Monthly limit for the member'],
  ['organization', 'minute', true, 'Per-minute spend breaker for the organization'],
  ['room', 'decade', false, 'Decade limit for room'],
] as const)('a limit of %s over %s is named', (scope, window, is_breaker, words) => {
  expect(limitInWords({ scope, window, is_breaker })).toBe(words)
})

test.each([
  ['wallet', null, 'All available credit. No lower limit applies.'],
  ['key', 'day', 'Remaining under the daily limit for this key, which runs out first.'],
  ['team', 'month', 'Remaining under the monthly limit for the team, which runs out first.'],
] as const)('says which limit ends the spend first: %s, %s', (scope, window, words) => {
  expect(effectiveInWords({ scope, window, is_breaker: false })).toBe(words)
})
