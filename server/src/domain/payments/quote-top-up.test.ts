import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatUsd, nanoUsd, parseUsd } from '#domain/money/nano-usd.ts'
import { type Currency, decimalOf } from './currency.ts'
import { parseRate } from './exchange-rate.ts'
import { chargedAmounts, quoteTopUp, type TopUpChannel, topUpChannels } from './quote-top-up.ts'

const terms = { feePercent: 10, taxPercent: 5 }

function itemised(amount: string, channel: TopUpChannel, asked = terms) {
  const quote = quoteTopUp(parseUsd(amount), channel, asked)
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

  it.each([
    ['12.34', '13.58'],
    ['10.01', '11.02'],
    ['0.01', '0.02'],
    ['25', '27.5'],
  ])('P2 of $%s totals $%s, which a card can be charged', (credit, total) => {
    expect(itemised(credit, 'usd').total).toBe(total)
  })

  it('P2 rounds fee and tax up to a cent each', () => {
    expect(itemised('12.34', 'local')).toEqual({
      credit: '12.34',
      lines: ['credit 12.34', 'fee 1.24', 'tax 0.62'],
      total: '14.2',
    })
  })

  it('has no line for a fee or tax of nothing, and takes percentages with two decimals', () => {
    expect(itemised('100', 'local', { feePercent: 0, taxPercent: 0 }).lines).toEqual(['credit 100'])
    expect(itemised('100', 'local', { feePercent: 8.1, taxPercent: 19.25 }).lines).toEqual([
      'credit 100',
      'fee 8.1',
      'tax 19.25',
    ])
  })

  it('states each share of the credit in percent', () => {
    const { lines } = quoteTopUp(parseUsd('100'), 'local', terms)
    expect(lines.map(({ item, percent }) => [item, percent])).toEqual([
      ['credit', null],
      ['fee', 10],
      ['tax', 5],
    ])
    expect(topUpChannels).toEqual(['usd', 'local'])
  })

  it.each([0n, -1n])('of %i is our own mistake', (amount) => {
    expect(() => quoteTopUp(nanoUsd(amount), 'usd', terms)).toThrow('a top-up is more than nothing')
  })

  it('of a fraction of a cent, or with a percentage of three decimals, is our own mistake', () => {
    expect(() => quoteTopUp(parseUsd('1.001'), 'usd', terms)).toThrow('a top-up is whole cents')
    expect(() => quoteTopUp(parseUsd('1'), 'usd', { ...terms, feePercent: 1.001 })).toThrow('two decimals at most')
    expect(() => quoteTopUp(parseUsd('1'), 'usd', { ...terms, feePercent: -1 })).toThrow('two decimals at most')
  })
})

function chargedIn(credit: string, currency: Currency, rateText: string | null) {
  const rate = rateText === null ? null : (parseRate(rateText) ?? null)
  const amounts = chargedAmounts(quoteTopUp(parseUsd(credit), currency === 'usd' ? 'usd' : 'local', terms), {
    currency,
    rate,
  })
  const { credit: paid, fee, tax, total } = amounts
  return [paid, fee, tax, total].map((amount) => decimalOf(amount, currency))
}

describe('P2 what a card is charged', () => {
  it.each<[Currency, string | null, string[]]>([
    ['usd', null, ['12.34', '1.24', '0.00', '13.58']],
    ['eur', '0.9231', ['11.40', '1.15', '0.58', '13.13']],
    ['cny', '7.2451', ['89.41', '8.99', '4.50', '102.90']],
    ['jpy', '151.234', ['1867', '188', '94', '2149']],
    // Card networks accept three-decimal currencies only in multiples of ten.
    ['kwd', '0.30661', ['3.790', '0.390', '0.200', '4.380']],
  ])('in %s is whole units of its currency, each line rounded up', (currency, rate, expected) => {
    expect(chargedIn('12.34', currency, rate)).toEqual(expected)
  })

  it('is the sum of its lines, and never less than the quote is worth', () => {
    const cents = fc.bigInt({ min: 1n, max: 100_000_000n })
    const rates = fc.bigInt({ min: 1n, max: 10n ** 13n })
    fc.assert(
      fc.property(cents, rates, fc.constantFrom<Currency>('eur', 'jpy', 'kwd'), (credit, scaled, currency) => {
        const rate = parseRate(`${scaled / 10n ** 8n}.${(scaled % 10n ** 8n).toString().padStart(8, '0')}`)
        if (rate === undefined) throw new Error('no rate')
        const quote = quoteTopUp(nanoUsd(credit * 10_000_000n), 'local', terms)
        const charged = chargedAmounts(quote, { currency, rate })
        expect(charged.total).toBe(charged.credit + charged.fee + charged.tax)
        const decimals = { eur: 2, jpy: 0, kwd: 3 }[currency as 'eur' | 'jpy' | 'kwd']
        expect(charged.total * 10n ** 17n >= quote.total * rate * 10n ** BigInt(decimals)).toBe(true)
      }),
    )
  })

  it('in another currency without a rate, or in US dollars with one, is our own mistake', () => {
    const quote = quoteTopUp(parseUsd('1'), 'local', terms)
    expect(() => chargedAmounts(quote, { currency: 'eur', rate: null })).toThrow('have a rate')
    expect(() => chargedAmounts(quote, { currency: 'usd', rate: parseRate('1') ?? null })).toThrow('have a rate')
  })
})
