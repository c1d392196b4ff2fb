import { expect, it } from 'vitest'
import { parseUsd } from '#domain/money/nano-usd.ts'
import type { PaymentOffer } from './payment-offer.ts'
import { quotePayment } from './quote-payment.ts'

const offer: PaymentOffer = {
  terms: { feePercent: 10, taxPercent: 5 },
  taxes: new Map(),
  rates: new Map([['cny', 725_000_000n as never]]),
  creditMin: parseUsd('5'),
  creditMax: parseUsd('100'),
  newAccount: { days: 0, creditMax: parseUsd('0') },
  creditsUrl: 'https://weir.test/console/credits',
}
const quote = (usd: string, currency = 'usd') => quotePayment(offer, { credit: parseUsd(usd), currency, buyer: null })

it.each(['5', '5.01', '99.99', '100'])('sells %s USD, the smallest and the largest amount included', (usd) => {
  expect(quote(usd).quoted.credit).toBe(parseUsd(usd))
})

it.each(['0', '4.99', '100.01', '-5'])('does not sell %s USD', (usd) => {
  expect(() => quote(usd)).toThrow('from 5 to 100 USD')
})

it.each(['5.001', '99.999'])('sells whole cents, not %s USD', (usd) => {
  expect(() => quote(usd)).toThrow('whole cents')
})

it.each([
  ['usd', 'usd', { fee: parseUsd('1'), tax: parseUsd('0') }],
  ['cny', 'local', { fee: parseUsd('1'), tax: parseUsd('0.5') }],
])('adds a fee, and tax in a local currency: %s', (currency, channel, rest) => {
  expect(quote('10', currency)).toMatchObject({ channel, currency, quoted: { credit: parseUsd('10'), ...rest } })
})

it.each(['eur', 'USD', ''])('names the currencies that it takes instead of %j', (currency) => {
  expect(() => quote('10', currency)).toThrow('one of usd, cny')
})
