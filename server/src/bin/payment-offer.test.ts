import { expect, it } from 'vitest'
import { parseConfig } from '#config/parse-config.ts'
import { creditsUrlOf, paymentOfferOf } from './payment-offer.ts'

const env = { WEIR_SECRET: 'kR7vQ2mZx9LwT4bNc8HdPf3JsGy6UaEe' }

it('is made of the configuration: amounts in nano-dollars, rates by currency', () => {
  const more = { WEIR_PAYMENTS_CURRENCIES: 'cny=7.25,jpy=151', WEIR_HTTP_PUBLIC_URL: 'https://weir.internal/api' }
  const offer = paymentOfferOf(parseConfig({ env: { ...env, ...more } }))
  expect(offer).toMatchObject({
    terms: { feePercent: 10, taxPercent: 5 },
    creditMin: 5_000_000_000n,
    creditMax: 10_000_000_000_000n,
    newAccount: { days: 7, creditMax: 500_000_000_000n },
    creditsUrl: 'https://weir.internal/console/credits',
  })
  expect([...offer.rates]).toEqual([
    ['cny', 725_000_000n],
    ['jpy', 15_100_000_000n],
  ])
})

it.each(['xxx=1', 'usd=1', 'eur=0'])('refuses %s at the start', (currencies) => {
  const config = parseConfig({ env: { ...env, WEIR_PAYMENTS_CURRENCIES: currencies } })
  expect(() => paymentOfferOf(config)).toThrow("can't be charged")
})

it('leads to the page for credit only where some can be bought', () => {
  expect(creditsUrlOf(parseConfig({ env }))).toBeNull()
  const stripe = {
    WEIR_PAYMENTS_STRIPE_SECRET_KEY: 'sk_test_x',
    WEIR_PAYMENTS_STRIPE_WEBHOOK_SECRETS: 'whsec_12345',
    WEIR_HTTP_PUBLIC_URL: 'https://weir.internal',
  }
  expect(creditsUrlOf(parseConfig({ env: { ...env, ...stripe } }))).toBe('https://weir.internal/console/credits')
})
