import type { AuditEntry } from '#domain/audit/audit-entry.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { Currency, Minor } from '#domain/payments/currency.ts'
import type { PaymentVerdict } from '#domain/payments/judge-payment.ts'
import type { NextCheck } from '#domain/payments/next-check.ts'
import type { EffectKind } from '#domain/payments/payment-effect.ts'
import type { PaymentReading } from '#domain/payments/payment-reading.ts'
import type { Mismatch, PaymentSource, TopUp, TopUpState } from '#domain/payments/top-up.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { IdempotentRequest } from './idempotency.ts'
import type { SavedMethods } from './saved-methods.ts'
import type { Discrepancy } from './ledger.ts'

/** A company that takes payments. Its answers are read; nothing here moves money of ours. */
export interface PaymentProvider {
  readonly name: PaymentSource
  /** False for its test mode. Everything it says must be of this mode. */
  readonly isLive: boolean
  /** Cards that it keeps for later; null: it keeps none. */
  readonly saved: SavedMethods | null
  /** Opens its payment page. Asked twice for one order, it answers with the same page. */
  createCheckout(order: TopUp, pages: CheckoutPages): Promise<Checkout>
  /** Of the currencies that the operator has a rate for. */
  takes(currency: Currency): boolean
  /** What has become of an order. */
  readPayment(order: TopUp): Promise<PaymentReading>
  /** Our id of the order that an event is about, where the event names the payment alone. */
  identify(event: Pick<PaymentEvent, 'paymentRef'>): Promise<Uuid | null>
  /**
   * Proves the signature over the bytes before anything is read from them. Null: it is not of this provider, or too
   * old.
   */
  verifyEvent(sent: SentEvent): Promise<PaymentEvent | null>
  /** Null: it keeps no lists that can be relied on, and each order is asked about by itself. */
  readonly lists: ProviderLists | null
  /** Gives money back. Null: it cannot be asked to do so safely; an operator does it there, and books it here. */
  readonly refund: ((order: TopUp, refund: ProviderRefund) => Promise<void>) | null
}

/** A webhook as it was sent. Where everything is in the address, the bytes are its query. */
export interface SentEvent {
  readonly bytes: Buffer
  readonly headers: Readonly<Record<string, string | undefined>>
}

/** What a provider has written down itself. */
export interface ProviderLists {
  /** Events since a moment, in any order. */
  listEvents(sinceMs: number): AsyncIterable<PaymentEvent>
  /** What its own books say of a span of time. */
  listBalances(span: { readonly fromMs: number; readonly toMs: number }): AsyncIterable<ProviderBalance>
}

interface ProviderRefund {
  readonly amount: Minor
  /** Makes it happen once. */
  readonly idempotencyKey: string
}

/** Where the payer goes afterwards. */
export interface CheckoutPages {
  readonly successUrl: string
  readonly cancelUrl: string
}

export interface Checkout {
  readonly checkoutRef: string
  readonly url: string
}

/** News of a provider. It is a hint: what happened is read from the provider itself. */
export interface PaymentEvent {
  readonly id: string
  readonly type: string
  readonly isLive: boolean
  readonly createdAtMs: number
  /** Which order it is about, as far as the event says. */
  readonly topUpId: Uuid | null
  readonly checkoutRef: string | null
  readonly paymentRef: string | null
}

export interface ProviderBalance {
  readonly id: string
  readonly kind: EffectKind
  readonly topUpId: Uuid | null
  readonly paymentRef: string | null
  readonly currency: string
  readonly amount: Minor
  /** In US cents; negative where the provider gave some back. */
  readonly fee: Minor
  readonly createdAtMs: number
}

/** Orders, and all that is booked for them. */
export interface TopUps {
  /**
   * Commits an open order, or answers the one that was committed for the same key, reference or invoice. Refused where
   * the payer has ordered more than the limit allows, or the key was sent with another request.
   */
  add(order: NewTopUp, terms: OrderTerms): Promise<TopUp | 'over_limit' | 'key_reused'>
  find(id: Uuid): Promise<TopUp | null>
  /** The order that an event or a line of a provider's books is about. */
  findFor(
    provider: PaymentSource,
    about: Pick<PaymentEvent, 'topUpId' | 'checkoutRef' | 'paymentRef'>,
  ): Promise<TopUp | null>
  /** The newest first. */
  list(query: TopUpQuery): Promise<readonly TopUp[]>
  noteCheckout(id: Uuid, checkout: Checkout): Promise<void>
  /**
   * Books what a provider says of an order, in one transaction with the id of the event that told of it. The order is
   * locked, then judged, then the wallet is locked. However often it is called, each effect is booked once.
   */
  apply(id: Uuid, reading: PaymentReading, options: ApplyOptions): Promise<AppliedPayment>
  /** Notes an event that changes nothing of ours, so that it is not asked about again. */
  noteEvent(provider: PaymentSource, event: PaymentEvent): Promise<void>
  /** Those of these events that are not noted. */
  missingEvents(provider: PaymentSource, events: readonly PaymentEvent[]): Promise<readonly PaymentEvent[]>
  /** Open orders that are due to be asked about. Another worker gets them only after `leaseMs`. */
  claimDue(
    providers: readonly PaymentSource[],
    claim: { readonly atMost: number; readonly leaseMs: number },
  ): Promise<readonly TopUp[]>
  /** When it is asked about next. An order that is no longer open is left as it is. */
  scheduleCheck(id: Uuid, next: NextCheck): Promise<void>
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
  /** Of the invoice that it pays; only one of its orders waits to be paid at a time. */
  readonly invoiceNumber?: string
}

export interface OrderTerms {
  readonly limit: OrderLimit | null
  readonly request: IdempotentRequest | null
  readonly entry: (id: Uuid) => AuditEntry
}

export interface OrderLimit {
  /** Accounts that were made since then count as new. */
  readonly newSinceMs: number
  /** What a new account may order since then. */
  readonly sinceMs: number
  readonly creditMax: NanoUsd
  /** Orders of a payer that may wait to be paid. */
  readonly openMax: number
}

export interface TopUpQuery {
  /** Null: of all wallets. */
  readonly walletId: Uuid | null
  readonly state: TopUpState | null
  /** Only those of which something was not as ordered. */
  readonly mismatched: boolean
  readonly before: Uuid | null
  readonly limit: number
}

export interface ApplyOptions {
  readonly event: PaymentEvent | null
  readonly nowMs: number
  /** Entries for the audit log, of what is booked; none where nothing is. */
  readonly describe: (order: TopUp, verdict: PaymentVerdict) => readonly AuditEntry[]
}

export interface AppliedPayment {
  readonly order: TopUp
  /** What was booked just now. */
  readonly effects: readonly EffectKind[]
  readonly newMismatch: Mismatch | null
}

/** What the provider's books are compared with (`weir audit ledger`). */
export interface ProviderStatements {
  /** Takes up what a provider says; a line that is known already is left as it is. */
  keep(provider: PaymentSource, balances: readonly ProviderBalance[]): Promise<void>
  /** Orders of which the provider's books say more than is booked. */
  findBehind(provider: PaymentSource): Promise<readonly Uuid[]>
  readWatermarks(provider: PaymentSource): Promise<ProviderWatermarks | null>
  /**
   * Where orders differ from what was booked for them, and where the provider's books differ from ours. Reads payments,
   * not requests.
   */
  compare(): Promise<readonly Discrepancy[]>
  advanceEvents(provider: PaymentSource, untilMs: number): Promise<void>
  advanceBalances(provider: PaymentSource, untilMs: number): Promise<void>
}

/** How far the lists of a provider have been read; null: never. */
interface ProviderWatermarks {
  readonly eventsUntilMs: number | null
  readonly balancesUntilMs: number | null
}
