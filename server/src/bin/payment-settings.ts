import type { Config } from '#config/config-schema.ts'
import { linkOriginOf } from '#config/public-origin.ts'
import { isCurrency } from '#domain/payments/currency.ts'
import type { PaymentSettings } from '#net/payments/payment-providers.ts'
import { StartError } from './start-error.ts'

/** The payment providers of the configuration. */
export function paymentSettingsOf({ payments, http }: Pick<Config, 'payments' | 'http'>): PaymentSettings {
  const { stripeSecretKey, stripeWebhookSecrets, stripeUrl } = payments
  const { epayUrl: url, epayMerchantId: merchantId, epayKey: key, epayType: type, epayCurrency: currency } = payments
  if (!isCurrency(currency)) throw new StartError('payments.epayCurrency is not a currency that can be charged.')
  const notifyUrl = `${linkOriginOf(http)}/api/payments/epay/notify`
  const isSet = url !== null && merchantId !== null && key !== null
  return {
    stripeSecretKey,
    stripeWebhookSecrets,
    stripeUrl,
    epay: isSet ? { url, merchantId, key, type, currency, notifyUrl } : null,
  }
}
