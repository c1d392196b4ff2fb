import type { AuditEntry } from '#domain/audit/audit-entry.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { Currency, Minor } from '#domain/payments/currency.ts'
import type { PaymentVerdict } from '#domain/payments/judge-payment.ts'
import type { NextCheck } from '#domain/payments/next-check.ts'
import type { EffectKind } from '#domain/payments/payment-effect.ts'
import type { PaymentDispute, PaymentReading } from '#domain/payments/payment-reading.ts'
import type { Mismatch, PaymentSource, TopUp, TopUpState } from '#domain/payments/top-up.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { CustomerName } from './customers.ts'
import type { IdempotentRequest } from './idempotency.ts'
import type { SavedMethods } from './saved-methods.ts'
import type { Discrepancy } from './ledger.ts'

/** A payment provider. The gateway only reads its data; nothing here moves our money. */
export interface PaymentProvider {
  readonly name: PaymentSource
  /** False for the provider's test mode. All its data must be of this mode. */
  readonly isLive: boolean
  /** Cards that the provider stores for later payments, or null if it stores none. */
  readonly saved: SavedMethods | null
  /** Opens the provider's payment page. A second request for one order returns the same page. */
  createCheckout(order: TopUp, pages: CheckoutPages): Promise<Checkout>
  /** Whether the provider accepts a currency for which the operator has set a rate. */
  takes(currency: Currency): boolean
  /** The state of an order's payment. */
  readPayment(order: TopUp): Promise<PaymentReading>
  /** Our id of the order that an event concerns, if the event names only the payment. */
  identify(event: Pick<PaymentEvent, 'paymentRef'>): Promise<Uuid | null>
  /** Verifies the signature over the bytes before reading them. Null if it is not from this provider, or too old. */
  verifyEvent(sent: SentEvent): Promise<PaymentEvent | null>
  /** Null if the provider has no reliable lists. Each order is then checked separately. */
  readonly lists: ProviderLists | null
  /**
   * Refunds money. Null if the provider has no safe way to do it; then an operator refunds at the provider and books
   * the refund here.
   */
  readonly refund: ((order: TopUp, refund: ProviderRefund) => Promise<void>) | null
}

/** A webhook as it was received. If all data is in the URL, the bytes are the query string. */
export interface SentEvent {
  readonly bytes: Buffer
  readonly headers: Readonly<Record<string, string | undefined>>
}

/** The provider's own records. */
export interface ProviderLists {
  /** Events since a time, in any order. */
  listEvents(sinceMs: number): AsyncIterable<PaymentEvent>
  /** The provider's ledger lines of a time span. */
  listBalances(span: { readonly fromMs: number; readonly toMs: number }): AsyncIterable<ProviderBalance>
}

interface ProviderRefund {
  readonly amount: Minor
  /** Prevents a second refund if the request is repeated. */
  readonly idempotencyKey: string
}

/** The pages to which the payer returns. */
export interface CheckoutPages {
  readonly successUrl: string
  readonly cancelUrl: string
}

export interface Checkout {
  readonly checkoutRef: string
  readonly url: string
}

/** A provider's notification. It is only a hint: the facts are read from the provider. */
export interface PaymentEvent {
  readonly id: string
  readonly type: string
  readonly isLive: boolean
  readonly createdAtMs: number
  /** The order that the event concerns, if the event names it. */
  readonly topUpId: Uuid | null
  readonly checkoutRef: string | null
  readonly paymentRef: string | null
}

/** Lines without a payment: payouts to the operator's bank, payouts that came back, and everything else. */
export type OtherBalanceKind = 'payout' | 'payout_returned' | 'other'

export interface ProviderBalance {
  readonly id: string
  readonly kind: EffectKind | OtherBalanceKind
  readonly topUpId: Uuid | null
  readonly paymentRef: string | null
  readonly currency: string
  /** Never negative, except of kind `other`. */
  readonly amount: Minor
  /** In US cents. Negative if the provider returned a fee. */
  readonly fee: Minor
  readonly createdAtMs: number
}

/** Orders, and everything booked for them. */
export interface TopUps {
  /**
   * Commits an open order, or returns the order committed for the same key, reference or invoice. Rejected if the
   * payer's orders exceed the limit, or the key was sent with another request.
   */
  add(order: NewTopUp, terms: OrderTerms): Promise<TopUp | 'over_limit' | 'key_reused'>
  find(id: Uuid): Promise<TopUp | null>
  /** The order that an event or a line of a provider's ledger concerns. */
  findFor(
    provider: PaymentSource,
    about: Pick<PaymentEvent, 'topUpId' | 'checkoutRef' | 'paymentRef'>,
  ): Promise<TopUp | null>
  /** The newest first. */
  list(query: TopUpQuery): Promise<readonly TopUp[]>
  /** Open disputes first, the nearest deadline first, then decided ones, the newest first. */
  listDisputes(query: DisputeQuery): Promise<readonly OrderDispute[]>
  /** Stores why an operator refunds an order. A repeated request has the same key. */
  noteRefund(id: Uuid, key: string, refund: RefundReason): Promise<void>
  /** The oldest first. */
  listRefunds(id: Uuid): Promise<readonly RefundReason[]>
  noteCheckout(id: Uuid, checkout: Checkout): Promise<void>
  /**
   * Books the payment state that a provider reports for an order, in one transaction with the event's id. The order is
   * locked, then judged, then the wallet is locked. However often it is called, each effect is booked once.
   */
  apply(id: Uuid, reading: PaymentReading | ReadLocked, options: ApplyOptions): Promise<AppliedPayment>
  /** Records an event that changes nothing, so that it is not processed again. */
  noteEvent(provider: PaymentSource, event: PaymentEvent): Promise<void>
  /** The events among these that are not recorded. */
  missingEvents(provider: PaymentSource, events: readonly PaymentEvent[]): Promise<readonly PaymentEvent[]>
  /** Claims open orders that are due for a check. Other workers can claim them only after `leaseMs`. */
  claimDue(
    providers: readonly PaymentSource[],
    claim: { readonly atMost: number; readonly leaseMs: number },
  ): Promise<readonly TopUp[]>
  /** Sets the time of the next check. An order that is no longer open stays unchanged. */
  scheduleCheck(id: Uuid, next: NextCheck): Promise<void>
}

export interface DisputeQuery {
  /** Null for all orders. */
  readonly topUpId: Uuid | null
  /** Null for open and decided disputes. */
  readonly isOpen: boolean | null
  readonly limit: number
}

export interface OrderDispute extends PaymentDispute {
  readonly provider: PaymentSource
  readonly topUpId: Uuid
  readonly customer: CustomerName
  /** Whether the bank has not decided yet. */
  readonly isOpen: boolean
}

/** A refund that an operator made for a reason. */
export interface RefundReason {
  /** In the currency of the order. */
  readonly amount: Minor
  readonly reason: string
  readonly author: string | null
  readonly createdAtMs: number
}

export interface NewTopUp
  extends Pick<
      TopUp,
      | 'id'
      | 'walletId'
      | 'payerId'
      | 'provider'
      | 'isLive'
      | 'channel'
      | 'currency'
      | 'rate'
      | 'quoted'
      | 'charged'
      | 'percents'
      | 'reference'
    >,
    Partial<Pick<TopUp, 'customerRef' | 'methodRef'>> {
  /** The invoice that it pays. An invoice has at most one open order. */
  readonly invoiceNumber?: string
}

export interface OrderTerms {
  readonly limit: OrderLimit | null
  readonly request: IdempotentRequest | null
  readonly entry: (id: Uuid) => AuditEntry
}

export interface OrderLimit {
  /** Accounts created after this time count as new. */
  readonly newSinceMs: number
  /** Maximum credit that a new account may order since `sinceMs`. */
  readonly sinceMs: number
  readonly creditMax: NanoUsd
  /** Maximum open orders of a payer. */
  readonly openMax: number
}

export interface TopUpQuery {
  /** Null for all wallets. */
  readonly walletId: Uuid | null
  readonly state: TopUpState | null
  /** Only orders with a mismatch. */
  readonly mismatched: boolean
  /** Only bank transfers. */
  readonly transfers: boolean
  readonly before: Uuid | null
  readonly limit: number
}

/**
 * The payment state that follows from the locked order, where no provider reports one. An event that is not new was
 * booked before.
 */
export type ReadLocked = (order: TopUp, event: { readonly isNew: boolean }) => PaymentReading

export interface ApplyOptions {
  readonly event: PaymentEvent | null
  readonly nowMs: number
  /** Audit entries for the booked effects. Empty if nothing is booked. */
  readonly describe: (order: TopUp, verdict: PaymentVerdict) => readonly AuditEntry[]
}

export interface AppliedPayment {
  readonly order: TopUp
  /** The effects that were just booked. */
  readonly effects: readonly EffectKind[]
  readonly newMismatch: Mismatch | null
}

/** The provider's ledger, for comparison with ours (`weir audit ledger`). */
export interface ProviderStatements {
  /** Stores the provider's lines. Known lines stay unchanged. */
  keep(provider: PaymentSource, balances: readonly ProviderBalance[]): Promise<void>
  /** Orders for which the provider's ledger has more than we have booked. */
  findBehind(provider: PaymentSource): Promise<readonly Uuid[]>
  readWatermarks(provider: PaymentSource): Promise<ProviderWatermarks | null>
  /**
   * The differences between orders and their bookings, and between the provider's ledger and ours. Reads payments, not
   * requests.
   */
  compare(): Promise<readonly Discrepancy[]>
  advanceEvents(provider: PaymentSource, untilMs: number): Promise<void>
  advanceBalances(provider: PaymentSource, untilMs: number): Promise<void>
}

/** How far a provider's lists have been read, or null if they never were. */
interface ProviderWatermarks {
  readonly eventsUntilMs: number | null
  readonly balancesUntilMs: number | null
}
