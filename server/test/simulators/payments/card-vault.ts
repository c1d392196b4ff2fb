import type { CardTemper, Customer, Method } from './objects.ts'

/** The responses of banks that do not pay. */
export const refusals = {
  asks: { code: 'authentication_required', decline_code: 'authentication_required' },
  declines: { code: 'card_declined', decline_code: 'insufficient_funds' },
}

/** Saved cards of the provider's customers, with the ids and the clock of all its objects. */
export class CardVault {
  readonly customers = new Map<string, Customer>()
  readonly methods = new Map<string, Method>()
  readonly #nowMs: () => number
  #ids: number

  constructor(nowMs: () => number, idsFrom = 0) {
    this.#nowMs = nowMs
    this.#ids = idsFrom
  }

  createCustomer(metadata: Record<string, string>): Customer {
    const customer: Customer = { id: this.newId('cus'), object: 'customer', metadata, created: this.now() }
    this.customers.set(customer.id, customer)
    return customer
  }

  /** Deletes a customer with all its cards, which can never be charged again. */
  deleteCustomer(id: string): boolean {
    for (const method of this.methods.values()) if (method.customer === id) method.customer = null
    return this.customers.delete(id)
  }

  /** Saves a card, as after a payment or a setup page. */
  saveCard(customer: string, temper: CardTemper = 'pays'): Method {
    const card = { brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2034 }
    const id = this.newId('pm')
    const method: Method = { id, object: 'payment_method', type: 'card', customer, card, temper, created: this.now() }
    this.methods.set(method.id, method)
    return method
  }

  protected newId(prefix: string): string {
    this.#ids += 1
    return `${prefix}_${String(this.#ids).padStart(8, '0')}`
  }

  /** Unix seconds. */
  protected now(): number {
    return Math.floor(this.#nowMs() / 1_000)
  }
}
