import type { Currency } from '#domain/payments/currency.ts'
import type { PaymentSource } from '#domain/payments/top-up.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { malformed } from '#errors/malformed.ts'
import type { PaymentProvider } from '#ports/payments.ts'

/** The provider of an order, or null if it is no longer configured. */
export function providerNamed(providers: readonly PaymentProvider[], name: PaymentSource): PaymentProvider | null {
  return providers.find((provider) => provider.name === name) ?? null
}

/** The provider of a new payment: the one that the payer named, or the first that takes the currency. */
export function chooseProvider(
  providers: readonly PaymentProvider[],
  { name, currency }: { name: string | null; currency: Currency },
): PaymentProvider {
  const able = providers.filter((provider) => provider.takes(currency))
  const chosen = name === null ? able[0] : able.find((provider) => provider.name === name)
  if (chosen !== undefined) return chosen
  if (able.length === 0) throw malformed(`Payments in ${currency} are not available.`)
  throw malformed(`The provider for ${currency} must be one of ${able.map((provider) => provider.name).join(', ')}.`)
}

export function paymentsOff(): GatewayError {
  return new GatewayError('paymentsOff', {
    message: 'Buying credit is not enabled on this gateway. Contact the operator.',
  })
}
