import type Stripe from 'stripe'
import { formatUsd } from '#domain/money/nano-usd.ts'
import type { TopUp } from '#domain/payments/top-up.ts'
import type { CheckoutPages } from '#ports/payments.ts'

// Stripe allows 30 minutes to a day. An abandoned order should not count against its payer's limit for long.
const payableForS = 3_600

/**
 * The payment page of an order: every line of the quote, and our id in three places, because events name the session or
 * the payment. All of it is derived from the order, so a repeated request is identical and gets the same page.
 */
export function checkoutParameters(order: TopUp, pages: CheckoutPages): Stripe.Checkout.SessionCreateParams {
  const { id, currency, charged, quoted, walletId, customerRef } = order
  const lines = [
    { name: `${formatUsd(quoted.credit)} USD credit`, amount: charged.credit },
    { name: 'Fee', amount: charged.fee },
    { name: 'Tax', amount: charged.tax },
  ]
  const metadata = { top_up_id: id, wallet_id: walletId }
  return {
    mode: 'payment',
    client_reference_id: id,
    metadata,
    payment_intent_data: {
      metadata,
      description: `Top-up ${id}`,
      ...(customerRef === null ? {} : { setup_future_usage: 'off_session' }),
    },
    // Only cards are saved: other methods may need their owner's consent for every charge.
    ...(customerRef === null ? {} : { customer: customerRef, allowed_payment_method_types: ['card'] }),
    line_items: lines
      .filter(({ amount }) => amount > 0n)
      .map(({ name, amount }) => ({
        quantity: 1,
        price_data: { currency, unit_amount: Number(amount), product_data: { name } },
      })),
    // The charge must equal the quote, in its currency.
    adaptive_pricing: { enabled: false },
    expires_at: Math.floor(order.createdAtMs / 1_000) + payableForS,
    success_url: pages.successUrl,
    cancel_url: pages.cancelUrl,
  }
}
