import type { PaymentMethod } from '../../api/billing.ts'

/** For example `Visa ending in 4242`. */
export function cardWords({ brand, last4 }: Pick<PaymentMethod, 'brand' | 'last4'>): string {
  return `${brand.charAt(0).toUpperCase()}${brand.slice(1)} ending in ${last4}`
}

/** For example `expires 03/2034`. */
export function expiryWords({ expiry_month: month, expiry_year: year }: PaymentMethod): string {
  return `expires ${String(month).padStart(2, '0')}/${year}`
}
