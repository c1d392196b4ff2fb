import type Stripe from 'stripe'
import type { Uuid } from '#lib/uuid.ts'
import type { PaymentProvider, ProviderLists } from '#ports/payments.ts'
import { checkoutParameters } from './stripe-checkout.ts'
import { eventTypes, newsOf, topUpIdIn } from './stripe-event.ts'
import { balanceOf } from './stripe-balance.ts'
import { askProvider } from './ask-provider.ts'
import { readStripeCharge } from './stripe-charge.ts'
import { readStripePayment } from './stripe-payment.ts'
import { savedByStripe } from './stripe-saved-methods.ts'

export interface StripeOptions {
  readonly secretKey: string
  /** Two secrets while one is being replaced. */
  readonly webhookSecrets: readonly string[]
  readonly url: string
  readonly nowMs: () => number
}

/** A payment provider with every optional feature. */
export interface StripeProvider extends PaymentProvider {
  readonly lists: ProviderLists
  readonly refund: NonNullable<PaymentProvider['refund']>
}

const timeoutMs = 15_000
// Retries use the idempotency key of the first attempt, so that nothing happens twice.
const retriesMax = 2
// Stripe delivers events within seconds of signing, and signs retries again.
const signatureAgeMaxS = 300

/** Payments by Stripe's hosted Checkout. The SDK is loaded on first use: most processes never need it. */
export function createStripeProvider(options: StripeOptions): StripeProvider {
  const { secretKey, webhookSecrets, nowMs } = options
  const load = loadOnce(options)
  return {
    name: 'stripe',
    isLive: isLiveKey(secretKey),
    saved: savedByStripe(load),
    createCheckout: (order, pages) =>
      askProvider(async () => {
        const stripe = await load()
        const parameters = checkoutParameters(order, pages)
        const { id, url } = await stripe.checkout.sessions.create(parameters, { idempotencyKey: order.id })
        if (url === null) throw new Error(`the Checkout session ${id} has no URL`)
        return { checkoutRef: id, url }
      }),
    takes: () => true,
    readPayment: (order) =>
      askProvider(async () => (order.methodRef === null ? readStripePayment : readStripeCharge)(await load(), order)),
    identify: ({ paymentRef }) => askProvider(async () => identify(await load(), paymentRef)),
    verifyEvent: async ({ bytes, headers }) => {
      const stripe = await load()
      const signature = headers['stripe-signature'] ?? ''
      const verified = webhookSecrets.flatMap((secret) => verify(stripe, { bytes, signature, secret, nowMs: nowMs() }))
      return verified[0] ?? null
    },
    lists: {
      listEvents: async function* listEvents(sinceMs) {
        const stripe = await load()
        const query = { created: { gte: Math.floor(sinceMs / 1_000) }, types: [...eventTypes], limit: 100 }
        for await (const event of stripe.events.list(query)) yield newsOf(event)
      },
      listBalances: async function* listBalances({ fromMs, toMs }) {
        const stripe = await load()
        const created = { gte: Math.floor(fromMs / 1_000), lt: Math.floor(toMs / 1_000) }
        for await (const line of stripe.balanceTransactions.list({ created, limit: 100, expand: ['data.source'] })) {
          yield balanceOf(line)
        }
      },
    },
    refund: ({ id, paymentRef }, { amount, idempotencyKey }) =>
      askProvider(async () => {
        if (paymentRef === null) throw new Error(`the order ${id} has no payment`)
        const parameters = { payment_intent: paymentRef, amount: Number(amount), metadata: { top_up_id: id } }
        await (await load()).refunds.create(parameters, { idempotencyKey })
      }),
  }
}

/** Test mode keys move no money. */
export function isLiveKey(secretKey: string): boolean {
  return /^[rs]k_live_/.test(secretKey)
}

function loadOnce({ secretKey, url }: StripeOptions): () => Promise<Stripe> {
  let loaded: Promise<Stripe> | undefined
  return () => {
    loaded ??= import('stripe').then(({ default: Stripe }) => {
      const { protocol, hostname, port } = new URL(url)
      const isSecure = protocol === 'https:'
      return new Stripe(secretKey, {
        protocol: isSecure ? 'https' : 'http',
        host: hostname,
        port: port === '' ? (isSecure ? 443 : 80) : Number(port),
        timeout: timeoutMs,
        maxNetworkRetries: retriesMax,
        telemetry: false,
      })
    })
    return loaded
  }
}

function verify(
  stripe: Stripe,
  { bytes, signature, secret, nowMs }: { bytes: Buffer; signature: string; secret: string; nowMs: number },
) {
  try {
    const event = stripe.webhooks.constructEvent(bytes, signature, secret, signatureAgeMaxS, undefined, nowMs)
    return [newsOf(event)]
  } catch {
    // Whatever the error, Stripe has not recently signed this event with this secret.
    return []
  }
}

async function identify(stripe: Stripe, paymentRef: string | null): Promise<Uuid | null> {
  if (paymentRef === null) return null
  return topUpIdIn((await stripe.paymentIntents.retrieve(paymentRef)).metadata)
}
