import { describe, expect, it } from 'vitest'
import { disputedHost, disputedPricesOf, isDisputedAt, withDisputedPrices } from './disputed-price.ts'

const anywhere = {
  provider: 'acme',
  quotes: [
    { source: 'its page', units: { prompt: '0.000001', completion: '0.000002' } },
    { source: 'a reseller', units: { prompt: '0.000003' } },
  ],
}
const inEurope = { provider: 'heron', region: 'eu', quotes: [] }

describe('prices that sources do not agree on', () => {
  it('are read as they were written, among other details', () => {
    const details = withDisputedPrices({ default_voice: 'alloy', disputed_prices: ['old'] }, [anywhere, inEurope])
    expect(details).toEqual({
      default_voice: 'alloy',
      disputed_prices: [
        {
          provider: 'acme',
          quotes: [
            { source: 'its page', pricing: { prompt: '0.000001', completion: '0.000002' } },
            { source: 'a reseller', pricing: { prompt: '0.000003' } },
          ],
        },
        { provider: 'heron', region: 'eu', quotes: [] },
      ],
    })
    expect(disputedPricesOf(details)).toEqual([anywhere, inEurope])
  })

  it('leave no trace where there are none', () => {
    expect(withDisputedPrices({ a: 1, disputed_prices: [] }, [])).toEqual({ a: 1 })
    expect(disputedPricesOf({})).toEqual([])
  })

  it.each([
    ['no list', 'x', []],
    ['a list of other things', ['x', null], []],
    ['an entry without anything', [{}], [{ provider: '', quotes: [] }]],
    ['a quote without anything', [{ quotes: [{}, 'x'] }], [{ provider: '', quotes: [{ source: '', units: {} }] }]],
    [
      'units that nobody knows',
      [{ provider: 'a', quotes: [{ source: 's', pricing: { prompt: '1', nonsense: '2', completion: 3 } }] }],
      [{ provider: 'a', quotes: [{ source: 's', units: { prompt: '1' } }] }],
    ],
  ])('are read from %s', (_what, written, read) => {
    expect(disputedPricesOf({ disputed_prices: written })).toEqual(read)
  })

  it.each([
    ['the provider in every region', anywhere, { provider: 'acme', variant: 'us' }, true],
    ['another provider', anywhere, { provider: 'heron', variant: '' }, false],
    ['the region', inEurope, { provider: 'heron', variant: 'eu' }, true],
    ['another region', inEurope, { provider: 'heron', variant: 'us' }, false],
    ['the region of another provider', inEurope, { provider: 'acme', variant: 'eu' }, false],
  ])('concern %s: %4$s', (_what, disputed, offer, isConcerned) => {
    expect(isDisputedAt(disputed, offer)).toBe(isConcerned)
  })

  it('are labelled by provider and region', () => {
    expect([anywhere, inEurope].map(disputedHost)).toEqual(['acme', 'heron/eu'])
  })
})
