import type { PaymentProvider } from '#ports/payments.ts'
import { createStripeProvider } from './stripe-provider.ts'

export interface PaymentSettings {
  readonly stripeSecretKey: string | null
  readonly stripeWebhookSecrets: readonly string[]
  readonly stripeUrl: string
}

/** Null: the operator has set none up. */
export function chooseProvider(settings: PaymentSettings, nowMs: () => number): PaymentProvider | null {
  const { stripeSecretKey: secretKey, stripeWebhookSecrets: webhookSecrets, stripeUrl: url } = settings
  return secretKey === null ? null : createStripeProvider({ secretKey, webhookSecrets, url, nowMs })
}
