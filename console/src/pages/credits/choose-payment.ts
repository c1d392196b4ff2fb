import type { PaymentOffer, PaymentWish } from '../../api/payments.ts'

type Offered = Pick<PaymentOffer, 'currencies' | 'providers'>

/** Providers that take payments in a currency, in order of preference. */
export function providersFor({ providers }: Offered, currency: string): Offered['providers'] {
  return providers.filter(({ currencies }) => currencies.includes(currency))
}

/** Changes the currency, and keeps the provider if it accepts the new currency. */
export function payIn(offer: Offered, { amount, provider, isSaving }: PaymentWish, currency: string): PaymentWish {
  const able = providersFor(offer, currency)
  const kept = able.find(({ name }) => name === provider) ?? able[0]
  return { amount, currency, provider: kept?.name ?? '', isSaving: isSaving && kept?.saves_methods === true }
}

/** The form's initial values. */
export function firstWish(offer: Offered): PaymentWish {
  return payIn(offer, { amount: '25', currency: '', provider: '', isSaving: false }, offer.currencies[0] ?? 'usd')
}
