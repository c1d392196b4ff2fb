import { expect, it } from 'vitest'
import { parseConfig } from '#config/parse-config.ts'
import { paymentSettingsOf } from './payment-settings.ts'

const env = { WEIR_SECRET: 'kR7vQ2mZx9LwT4bNc8HdPf3JsGy6UaEe' }
const epay = {
  WEIR_HTTP_PUBLIC_URL: 'https://weir.internal/api',
  WEIR_PAYMENTS_EPAY_URL: 'https://pay.internal/',
  WEIR_PAYMENTS_EPAY_MERCHANT_ID: '1001',
  WEIR_PAYMENTS_EPAY_KEY: 'k',
  WEIR_PAYMENTS_CURRENCIES: 'cny=7.25',
}

it('sets up nobody by itself', () => {
  expect(paymentSettingsOf(parseConfig({ env }))).toMatchObject({ stripeSecretKey: null, epay: null })
})

it('has an epay service tell us of payments under our public address', () => {
  expect(paymentSettingsOf(parseConfig({ env: { ...env, ...epay } })).epay).toEqual({
    url: 'https://pay.internal/',
    merchantId: '1001',
    key: 'k',
    type: null,
    currency: 'cny',
    notifyUrl: 'https://weir.internal/api/payments/epay/notify',
  })
})

it('refuses a currency that nothing can be charged in', () => {
  const config = parseConfig({ env: { ...env, WEIR_PAYMENTS_EPAY_CURRENCY: 'xxx' } })
  expect(() => paymentSettingsOf(config)).toThrow('not a currency that can be charged')
})
