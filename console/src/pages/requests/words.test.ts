import { expect, it } from 'vitest'
import { refundTone } from './words.ts'

it.each([
  ['not_billed', 'neutral'],
  ['free_tier', 'neutral'],
  ['own_key', 'neutral'],
  ['cache_hit', 'neutral'],
  ['client_cancelled', 'neutral'],
  ['zero_usage', 'neutral'],
  ['no_usage', 'neutral'],
  ['upstream_failed', 'bad'],
  ['upstream_rejected', 'bad'],
  ['unusable_answer', 'bad'],
  ['stream_interrupted', 'bad'],
  ['credit_exhausted', 'bad'],
  ['lease_lapsed', 'bad'],
  ['gateway_fault', 'bad'],
] as const)('shows a request that is free for %s as %s', (reason, tone) => {
  expect(refundTone(reason)).toBe(tone)
})
