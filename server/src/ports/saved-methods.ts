import type { PaymentReading } from '#domain/payments/payment-reading.ts'
import type { PaymentSource, TopUp } from '#domain/payments/top-up.ts'
import type { Uuid } from '#lib/uuid.ts'

/** Cards that a payment provider keeps. We have its references, and never the number of a card. */
export interface SavedMethods {
  /** Whom cards are kept for. Asked twice for one wallet, it answers with the same. */
  createCustomer(walletId: Uuid): Promise<string>
  /** Deletes a customer with all saved cards. Succeeds if the customer does not exist. */
  deleteCustomer(customerRef: string): Promise<void>
  /** Opens a page on which a card is saved and nothing is paid. */
  openPage(customerRef: string, pages: SavingPages): Promise<{ readonly url: string }>
  /** The newest first. */
  list(customerRef: string): Promise<readonly SavedMethod[]>
  /** One that is not there is no fault. */
  remove(customerRef: string, methodRef: string): Promise<void>
  /**
   * Charges the saved card of an order while its owner is away, and says what has become of it. The order's id makes it
   * happen once. A card that is refused is an answer; it throws where it is not known whether the card was charged.
   */
  charge(order: TopUp): Promise<PaymentReading>
}

/** Where the person goes afterwards. */
interface SavingPages {
  readonly successUrl: string
  readonly cancelUrl: string
}

export interface SavedMethod {
  /** What the provider calls it. */
  readonly ref: string
  /** Such as `visa`. */
  readonly brand: string
  readonly last4: string
  /** From 1 to 12. */
  readonly expiryMonth: number
  readonly expiryYear: number
}

/** The provider's reference of each wallet. */
export interface PaymentCustomers {
  find(of: CustomerOf): Promise<string | null>
  /** The one that is there, if another process was faster. */
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
