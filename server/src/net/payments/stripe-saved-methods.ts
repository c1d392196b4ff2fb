import type Stripe from 'stripe'
import type { SavedMethod, SavedMethods } from '#ports/saved-methods.ts'
import { askProvider } from './ask-provider.ts'
import { chargeStripeMethod } from './stripe-charge.ts'

// More cards than anyone saves.
const methodsMax = 100

/** Cards of a Stripe Customer. Each wallet has one Customer. */
export function savedByStripe(load: () => Promise<Stripe>): SavedMethods {
  return {
    createCustomer: (walletId) =>
      askProvider(async () => {
        const stripe = await load()
        const parameters = { metadata: { wallet_id: walletId } }
        return (await stripe.customers.create(parameters, { idempotencyKey: `customer-${walletId}` })).id
      }),
    deleteCustomer: (customer) =>
      askProvider(async () => {
        const stripe = await load()
        await stripe.customers.del(customer).catch((error: unknown) => {
          if (!isMissing(error)) throw error
        })
      }),
    openPage: (customer, { successUrl, cancelUrl }) =>
      askProvider(async () => {
        const stripe = await load()
        const { id, url } = await stripe.checkout.sessions.create({
          mode: 'setup',
          customer,
          currency: 'usd',
          allowed_payment_method_types: ['card'],
          success_url: successUrl,
          cancel_url: cancelUrl,
        })
        if (url === null) throw new Error(`the Checkout session ${id} has no URL`)
        return { url }
      }),
    list: (customer) => askProvider(async () => listCards(await load(), customer)),
    remove: (customer, methodRef) =>
      askProvider(async () => {
        const stripe = await load()
        // The reference came from a client, so only a card of this customer is detached.
        const cards = await listCards(stripe, customer)
        if (cards.some(({ ref }) => ref === methodRef)) await stripe.paymentMethods.detach(methodRef)
      }),
    charge: (order) => askProvider(async () => chargeStripeMethod(await load(), order)),
  }
}

/** An earlier worker deleted the customer, but crashed before it recorded the deletion. */
function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'resource_missing'
}

async function listCards(stripe: Stripe, customer: string): Promise<SavedMethod[]> {
  const { data } = await stripe.paymentMethods.list({ customer, type: 'card', limit: methodsMax })
  return data.flatMap(({ id, card }): SavedMethod[] => {
    if (card === undefined) return []
    const { brand, last4, exp_month: expiryMonth, exp_year: expiryYear } = card
    return [{ ref: id, brand, last4, expiryMonth, expiryYear }]
  })
}
