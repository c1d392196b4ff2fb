import type { PaymentProvider } from '#ports/payments.ts'
import type { EpayOptions } from './epay-options.ts'
import { createEpayProvider } from './epay-provider.ts'
import { createStripeProvider } from './stripe-provider.ts'

export interface PaymentSettings {
  readonly stripeSecretKey: string | null
  readonly stripeWebhookSecrets: readonly string[]
  readonly stripeUrl: string
  /** Null if the operator has none. */
  readonly epay: Omit<EpayOptions, 'nowMs'> | null
}

/** All configured providers, the preferred one first. */
export function paymentProviders(settings: PaymentSettings, nowMs: () => number): readonly PaymentProvider[] {
  const { stripeSecretKey: secretKey, stripeWebhookSecrets: webhookSecrets, stripeUrl: url, epay } = settings
  return [
    ...(secretKey === null ? [] : [createStripeProvider({ secretKey, webhookSecrets, url, nowMs })]),
    ...(epay === null ? [] : [createEpayProvider({ ...epay, nowMs })]),
  ]
}
