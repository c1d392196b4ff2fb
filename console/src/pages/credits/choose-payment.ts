import type { PaymentOffer, PaymentWish } from '../../api/payments.ts'

type Offered = Pick<PaymentOffer, 'currencies' | 'providers'>

/** Who takes payments in a currency, the first choice first. */
export function providersFor({ providers }: Offered, currency: string): Offered['providers'] {
  return providers.filter(({ currencies }) => currencies.includes(currency))
}

/** Another currency keeps the provider where it takes both. */
export function payIn(offer: Offered, { amount, provider, isSaving }: PaymentWish, currency: string): PaymentWish {
  const able = providersFor(offer, currency)
  const kept = able.find(({ name }) => name === provider) ?? able[0]
  return { amount, currency, provider: kept?.name ?? '', isSaving: isSaving && kept?.saves_methods === true }
}

/** What the form begins with. */
export function firstWish(offer: Offered): PaymentWish {
  return payIn(offer, { amount: '25', currency: '', provider: '', isSaving: false }, offer.currencies[0] ?? 'usd')
}
