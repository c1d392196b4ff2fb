import { expect, it } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import { readResponseUsage } from './read-usage.ts'

const usage = {
  input_tokens: 100,
  input_tokens_details: { cached_tokens: 40, cache_write_tokens: 10 },
  output_tokens: 30,
  output_tokens_details: { reasoning_tokens: 20 },
}

it('reads each class once', () => {
  expect(readResponseUsage({ usage })).toMatchObject({
    uncachedInput: 50,
    cacheRead: 40,
    cacheWrite5m: 10,
    reasoningOutput: 20,
    textOutput: 10,
  })
})

function kept(ttl_12h_tokens: number): JsonObject {
  const cache_write_tokens_details = { ttl_12h_tokens, ttl_30m_tokens: 0 }
  return { ...usage, input_tokens_details: { cache_write_tokens: 10, cache_write_tokens_details } }
}

it('V16: counts what is kept for twelve hours as the long kind', () => {
  expect(readResponseUsage({ usage: kept(4) })).toMatchObject({ cacheWrite5m: 6, cacheWrite1h: 4 })
  expect(readResponseUsage({ usage: kept(40) })).toMatchObject({ cacheWrite5m: 0, cacheWrite1h: 10 })
})

it('takes a missing count for none, and no counts for no report', () => {
  expect(readResponseUsage({ usage: { output_tokens: 7 } })).toMatchObject({ uncachedInput: 0, textOutput: 7 })
  expect(readResponseUsage({ usage: { input_tokens: 0 } })).toMatchObject({ uncachedInput: 0, textOutput: 0 })
  expect(readResponseUsage({ usage: {} })).toBeUndefined()
  expect(readResponseUsage({})).toBeUndefined()
})

it.each([
  ['priority', { variant: { service_tier: 'priority' } }],
  ['flex', { variant: { service_tier: 'flex' } }],
  ['default', undefined],
  [null, undefined],
])('says that it was served as %s', (tier, media) => {
  expect(readResponseUsage({ usage, service_tier: tier })?.media).toEqual(media)
})
