import type { PaymentOffer, PaymentWish } from '../../api/payments.ts'

type Offered = Pick<PaymentOffer, 'currencies' | 'providers'>

/** Who takes payments in a currency, the first choice first. */
export function providersFor({ providers }: Offered, currency: string): Offered['providers'] {
  return providers.filter(({ currencies }) => currencies.includes(currency))
}

/** Another currency keeps the provider where it takes both. */
export function payIn(offer: Offered, { amount, provider }: PaymentWish, currency: string): PaymentWish {
  const able = providersFor(offer, currency)
  const kept = able.find(({ name }) => name === provider) ?? able[0]
  return { amount, currency, provider: kept?.name ?? '' }
}

/** What the form begins with. */
export function firstWish(offer: Offered): PaymentWish {
  return payIn(offer, { amount: '25', currency: '', provider: '' }, offer.currencies[0] ?? 'usd')
}
