import { expect, it } from 'vitest'
import { findVendor } from '#providers/registry.ts'
import { assert } from '#lib/assert.ts'
import type { Target } from '#providers/protocol.ts'
import { withoutUnpriced } from './without-unpriced.ts'

function at(pricesPriority: boolean | undefined): Target {
  const vendor = findVendor('anthropic')
  assert(vendor !== undefined, 'Anthropic is known')
  return {
    vendor,
    baseUrl: null,
    credential: null,
    upstreamModel: 'claude-opus-4-8',
    model: 'anthropic/claude-opus-4.8',
    openAiFamily: false,
    overrides: undefined,
    ...(pricesPriority === undefined ? {} : { pricesPriority }),
  }
}

it.each([
  ['fast', false, ['speed']],
  ['fast', true, []],
  ['fast', undefined, []],
  ['standard', false, []],
])('the speed %s where it has a price (%s) leaves out %j', (speed, priced, left) => {
  expect(withoutUnpriced({ speed, max_tokens: 5 }, at(priced))).toEqual({
    body: left.length === 0 ? { speed, max_tokens: 5 } : { max_tokens: 5 },
    left,
  })
})

it('models to fall back to are left out, because their prices are others, but for an own key', () => {
  const body = { fallbacks: [{ model: 'claude-opus-4-1' }], max_tokens: 5 }
  expect(withoutUnpriced(body, at(true))).toEqual({ body: { max_tokens: 5 }, left: ['fallbacks'] })
  expect(withoutUnpriced(body, at(undefined))).toEqual({ body, left: [] })
})

it('a place that costs more is refused, because leaving it out would send the prompt elsewhere', () => {
  expect(() => withoutUnpriced({ inference_geo: 'us' }, at(true))).toThrow('`inference_geo` can only be "global"')
  expect(withoutUnpriced({ inference_geo: 'us' }, at(undefined)).body).toEqual({ inference_geo: 'us' })
  expect(withoutUnpriced({ inference_geo: 'global' }, at(false)).body).toEqual({ inference_geo: 'global' })
  expect(withoutUnpriced({ inference_geo: null }, at(false)).body).toEqual({ inference_geo: null })
})
