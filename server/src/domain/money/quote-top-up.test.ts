import { describe, expect, it } from 'vitest'
import { formatUsd, nanoUsd, parseUsd } from './nano-usd.ts'
import { quoteTopUp, type TopUpChannel, topUpChannels } from './quote-top-up.ts'

function itemised(amount: string, channel: TopUpChannel) {
  const quote = quoteTopUp(parseUsd(amount), channel)
  return {
    credit: formatUsd(quote.credit),
    lines: quote.lines.map((line) => `${line.item} ${formatUsd(line.amount)}`),
    total: formatUsd(quote.total),
  }
}

describe('a top-up', () => {
  it('[MONEY-05] of $100 is itemised as $100 credit and $10 fee', () => {
    expect(itemised('100', 'usd')).toEqual({ credit: '100', lines: ['credit 100', 'fee 10'], total: '110' })
  })

  it('[MONEY-06] of $100 on a local-currency channel adds $5 of tax as its own item', () => {
    expect(itemised('100', 'local')).toEqual({ credit: '100', lines: ['credit 100', 'fee 10', 'tax 5'], total: '115' })
  })

  it('rounds fractions of a nano-dollar up, so that no item is nothing', () => {
    expect(itemised('0.000000001', 'local').total).toBe('0.000000003')
  })

  it('states each share of the credit in percent', () => {
    const { lines } = quoteTopUp(parseUsd('100'), 'local')
    expect(lines.map(({ item, percent }) => [item, percent])).toEqual([
      ['credit', null],
      ['fee', 10],
      ['tax', 5],
    ])
    expect(topUpChannels).toEqual(['usd', 'local'])
  })

  it.each([0n, -1n])('of %i is our own mistake', (amount) => {
    expect(() => quoteTopUp(nanoUsd(amount), 'usd')).toThrow('a top-up is more than nothing')
  })
})
