import { describe, expect, it } from 'vitest'
import { parseTaxRate, taxPercentFor } from './tax-rates.ts'

describe('[P15] the tax of a buyer', () => {
  const rates = new Map([
    ['DE', 19],
    ['DE:eu_vat', 0],
  ])
  it.each([
    ['of the country', { country: 'DE', taxId: null }, 'usd', 19],
    ['of the country and the kind of tax id', { country: 'DE', taxId: { kind: 'eu_vat', id: 'X' } }, 'local', 0],
    ['of the country, for another kind', { country: 'DE', taxId: { kind: 'de_stn', id: 'X' } }, 'usd', 19],
    ['of the channel, for another country', { country: 'FR', taxId: { kind: 'eu_vat', id: 'X' } }, 'local', 5],
    ['none in US dollars, for another country', { country: 'FR', taxId: null }, 'usd', 0],
    ['of the channel, without a country', { country: null, taxId: null }, 'local', 5],
    ['of the channel, without a profile', null, 'local', 5],
    ['none in US dollars, without a profile', null, 'usd', 0],
  ] as const)('is that %s', (_, buyer, channel, percent) => {
    expect(taxPercentFor(buyer, { rates, channel, localPercent: 5 })).toBe(percent)
  })
})

describe('[P15] an entry of the table of rates', () => {
  it.each([
    ['DE=19', ['DE', 19]],
    ['de:eu_vat=0', ['DE:eu_vat', 0]],
    ['CH=8.1', ['CH', 8.1]],
    ['XX=100', ['XX', 100]],
  ])('%s is read', (entry, read) => expect(parseTaxRate(entry)).toEqual(read))
  it.each(['DE', 'DE=', 'DEU=19', 'DE=-1', 'DE=19.123', 'DE=101', 'DE:=1', 'DE:EU=1', 'DE=1e1', ' DE=19'])(
    '%j is none',
    (entry) => expect(parseTaxRate(entry)).toBeUndefined(),
  )
})
