import { describe, expect, it } from 'vitest'
import { parseTaxRate, taxPercentFor } from './tax-rates.ts'

describe('[P15] the tax of a buyer', () => {
  const rates = new Map([
    ['DE', 19],
    ['DE:eu_vat', 0],
  ])
  const vat = { kind: 'eu_vat', id: 'X' }
  const other = { kind: 'de_stn', id: 'X' }
  // Each country of the table and an unknown one, with and without a tax id, in both channels.
  it.each([
    [{ country: 'DE', taxId: null }, 19, 19],
    [{ country: 'DE', taxId: vat }, 0, 0],
    [{ country: 'DE', taxId: other }, 19, 19],
    [{ country: 'FR', taxId: null }, 0, 5],
    [{ country: 'FR', taxId: vat }, 0, 5],
    [{ country: 'FR', taxId: other }, 0, 5],
    [{ country: null, taxId: null }, 0, 5],
    [{ country: null, taxId: vat }, 0, 5],
    [null, 0, 5],
  ] as const)('P08: of %j is %d percent in US dollars and %d in a local currency', (buyer, usd, local) => {
    const percent = (channel: 'usd' | 'local') => taxPercentFor(buyer, { rates, channel, localPercent: 5 })
    expect([percent('usd'), percent('local')]).toEqual([usd, local])
  })
})

describe('[P15] an entry of the table of rates', () => {
  it.each([
    ['DE=19', ['DE', 19]],
    ['de:eu_vat=0', ['DE:eu_vat', 0]],
    ['CH=8.1', ['CH', 8.1]],
    ['CH=8.25', ['CH', 8.25]],
    ['CH=7', ['CH', 7]],
    ['XX=100', ['XX', 100]],
  ])('%s is read', (entry, read) => expect(parseTaxRate(entry)).toEqual(read))
  it.each(['DE', 'DE=', 'DEU=19', 'DE=-1', 'DE=19.123', 'DE=101', 'DE:=1', 'DE:EU=1', 'DE=1e1', ' DE=19'])(
    '%j is none',
    (entry) => expect(parseTaxRate(entry)).toBeUndefined(),
  )
})
