import { expect, test } from 'vitest'
import { effectiveInWords, limitInWords } from './limit-words.ts'

test.each([
  ['wallet', null, false, 'Wallet'],
  ['key', 'life', false, 'Lifetime limit of this key'],
  ['member', 'month', false, 'Monthly limit of the member'],
  ['organization', 'minute', true, 'Per-minute spend breaker of the organization'],
  ['room', 'year', false, 'Year limit of room'],
] as const)('a limit of %s over %s is named', (scope, window, is_breaker, words) => {
  expect(limitInWords({ scope, window, is_breaker })).toBe(words)
})

test.each([
  ['wallet', null, 'All that the wallet has. No limit is tighter.'],
  ['key', 'day', 'Left of the daily limit of this key, the tightest of its limits.'],
  ['team', 'month', 'Left of the monthly limit of the team, the tightest of its limits.'],
] as const)('says which limit ends the spend first: %s, %s', (scope, window, words) => {
  expect(effectiveInWords({ scope, window, is_breaker: false })).toBe(words)
})
