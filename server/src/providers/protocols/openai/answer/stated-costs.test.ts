import { expect, it } from 'vitest'
import { assert } from '#lib/assert.ts'
import type { JsonObject } from '#lib/json.ts'
import { findVendor } from '#providers/registry.ts'
import { readResponseUsage } from '../../responses/read-usage.ts'
import { readUsage } from './read-usage.ts'

const counts = { prompt_tokens: 1, completion_tokens: 1 }

it.each<[string, JsonObject, number | undefined]>([
  ['xai', { cost_in_usd_ticks: 158_500 }, 15_850],
  ['xai', { cost_in_usd_ticks: 1 }, 1],
  ['xai', {}, undefined],
  ['openrouter', { cost: 0.00012 }, 120_000],
  ['openrouter', { cost: 0.00012, is_byok: true }, undefined],
  ['together', { cost: 0.00012 }, undefined],
])('V14: %s states in %j that it cost %s nano-dollars', (slug, members, nano) => {
  const vendor = findVendor(slug)
  assert(vendor?.protocol === 'openai', `${slug} speaks chat completions`)
  expect(readUsage({ usage: { ...counts, ...members } }, vendor.openai)?.upstreamNano).toBe(nano)
})

it('V14: Responses of xAI state it as well', () => {
  const usage = { input_tokens: 1, output_tokens: 1, cost_in_usd_ticks: 158_500 }
  expect(readResponseUsage({ usage })?.upstreamNano).toBe(15_850)
})
