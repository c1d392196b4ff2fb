import type { PaymentReading } from '#domain/payments/payment-reading.ts'
import type { PaymentSource, TopUp } from '#domain/payments/top-up.ts'
import type { Uuid } from '#lib/uuid.ts'

/** Cards that a payment provider stores. The gateway has the provider's references, and never a card number. */
export interface SavedMethods {
  /** Creates the customer for whom cards are stored. A second call for one wallet returns the same customer. */
  createCustomer(walletId: Uuid): Promise<string>
  /** Deletes a customer with all saved cards. Succeeds if the customer does not exist. */
  deleteCustomer(customerRef: string): Promise<void>
  /** Opens a page that saves a card without a payment. */
  openPage(customerRef: string, pages: SavingPages): Promise<{ readonly url: string }>
  /** The newest first. */
  list(customerRef: string): Promise<readonly SavedMethod[]>
  /** Removing a missing card is not an error. */
  remove(customerRef: string, methodRef: string): Promise<void>
  /**
   * Charges the saved card of an order while its owner is not present, and returns the result. The order's id is the
   * idempotency key. A declined card is a result; it throws if it is unknown whether the card was charged.
   */
  charge(order: TopUp): Promise<PaymentReading>
}

/** The pages to which the person returns. */
interface SavingPages {
  readonly successUrl: string
  readonly cancelUrl: string
}

export interface SavedMethod {
  /** The provider's id. */
  readonly ref: string
  /** Such as `visa`. */
  readonly brand: string
  readonly last4: string
  /** From 1 to 12. */
  readonly expiryMonth: number
  readonly expiryYear: number
}

/** The provider's customer reference of each wallet. */
export interface PaymentCustomers {
  find(of: CustomerOf): Promise<string | null>
  /** Returns the existing reference if another process added one first. */
  add(of: CustomerOf, customerRef: string): Promise<string>
}

/** The payment customers of erased people, until the provider has deleted them. */
export interface ErasedCustomers {
  /** Claims the due customers; no other worker gets them before the lease ends. */
  claim(
    of: Pick<CustomerOf, 'provider' | 'isLive'>,
    terms: { readonly atMost: number; readonly leaseMs: number },
  ): Promise<readonly string[]>
  forget(of: Pick<CustomerOf, 'provider' | 'isLive'>, customerRef: string): Promise<void>
}

export interface CustomerOf {
  readonly walletId: Uuid
  readonly provider: PaymentSource
  readonly isLive: boolean
}
