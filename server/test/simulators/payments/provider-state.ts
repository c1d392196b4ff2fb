import { CardVault, refusals } from './card-vault.ts'
import type { CardTemper, Charge, Dispute, Line, Method, Payment, ProviderEvent, Refund, Session } from './objects.ts'

interface StateOptions {
  /** Unix milliseconds. */
  readonly nowMs: () => number
  readonly onEvent: (event: ProviderEvent) => void
  /** A provider that was started before has issued ids up to here. */
  readonly idsFrom?: number
}

interface NewSession {
  readonly mode: 'payment' | 'setup'
  readonly customer: string | null
  /** Whether the card of the payment is saved. */
  readonly isSaving: boolean
  readonly currency: string
  readonly lines: readonly { name: string; amount: number }[]
  readonly clientReference: string | null
  readonly metadata: Record<string, string>
  readonly paymentMetadata: Record<string, string>
  readonly successUrl: string
  readonly cancelUrl: string
  readonly expiresAt: number
}

/** A charge of a saved card. */
interface NewCharge {
  readonly amount: number
  readonly currency: string
  readonly customer: string
  readonly method: string
  readonly metadata: Record<string, string>
}

const apiVersion = '2026-10-28.endive'
const disputeFee = 1_500
// Operators have nine days.
const evidenceSeconds = 9 * 86_400

/**
 * The provider's state: all actions of a payer, a bank or its dashboard, each with its events and lines in its ledger.
 */
export class ProviderState extends CardVault {
  readonly sessions = new Map<string, Session>()
  readonly payments = new Map<string, Payment>()
  readonly charges = new Map<string, Charge>()
  readonly refunds = new Map<string, Refund>()
  readonly disputes = new Map<string, Dispute>()
  readonly lines: Line[] = []
  readonly events: ProviderEvent[] = []
  /** The mode of the next sessions; a wrong mode simulates a key of the other mode. */
  isLive = false
  readonly #options: StateOptions
  readonly #paymentMetadata = new Map<string, Record<string, string>>()
  readonly #saving = new Set<string>()

  constructor(options: StateOptions) {
    super(options.nowMs, options.idsFrom)
    this.#options = options
  }

  createSession(asked: NewSession, pageUrl: string): Session {
    const id = this.newId('cs_test')
    const session: Session = {
      id,
      object: 'checkout.session',
      mode: asked.mode,
      customer: asked.customer,
      livemode: this.isLive,
      status: 'open',
      payment_status: 'unpaid',
      amount_total: asked.lines.reduce((sum, { amount }) => sum + amount, 0),
      currency: asked.currency,
      client_reference_id: asked.clientReference,
      metadata: asked.metadata,
      payment_intent: null,
      url: `${pageUrl}/pay/${id}`,
      success_url: asked.successUrl,
      cancel_url: asked.cancelUrl,
      expires_at: asked.expiresAt,
      created: this.now(),
      lines: [...asked.lines],
    }
    this.sessions.set(id, session)
    this.#paymentMetadata.set(id, asked.paymentMetadata)
    if (asked.isSaving) this.#saving.add(id)
    return session
  }

  /** The payer has paid on the page: immediately, or by a delayed method. */
  pay(sessionId: string, how: { later?: boolean; amount?: number; currency?: string } = {}): Payment {
    const session = this.#open(sessionId)
    const payment = this.#addPayment({
      livemode: session.livemode,
      amount: how.amount ?? session.amount_total,
      customer: session.customer,
      payment_method: null,
      currency: how.currency ?? session.currency,
      metadata: this.#paymentMetadata.get(sessionId) ?? {},
    })
    session.status = 'complete'
    session.payment_intent = payment.id
    session.url = null
    if (session.customer !== null && this.#saving.has(sessionId)) {
      payment.payment_method = this.saveCard(session.customer).id
    }
    if (how.later === true) {
      this.#tell('checkout.session.completed', session)
      return payment
    }
    this.#charge(session, payment)
    this.#tell('checkout.session.completed', session)
    return payment
  }

  /** The owner of a card has saved it on the page. */
  completeSetup(sessionId: string, temper?: CardTemper): Method {
    const session = this.#open(sessionId)
    session.status = 'complete'
    session.url = null
    const method = this.saveCard(session.customer ?? '', temper)
    this.#tell('checkout.session.completed', session)
    return method
  }

  /** Charges a saved card off-session. A declined charge is a payment too. */
  chargeSaved({ amount, currency, customer, method, metadata }: NewCharge): Payment {
    const asked = { amount, customer, payment_method: method, currency, metadata }
    const payment = this.#addPayment({ ...asked, livemode: this.isLive })
    const temper = this.methods.get(method)?.temper
    if (temper === 'pays') this.succeedCharge(payment.id)
    if (temper === 'declines' || temper === 'asks') {
      Object.assign(payment, { status: 'requires_payment_method', last_payment_error: refusals[temper] })
      this.#tell('payment_intent.payment_failed', payment)
    }
    return payment
  }

  /** The bank of a card has decided. */
  succeedCharge(paymentId: string): void {
    const payment = this.payments.get(paymentId)
    if (payment === undefined) throw new Error(`no payment ${paymentId}`)
    this.#charge(null, payment)
    this.#tell('payment_intent.succeeded', payment)
  }

  #addPayment(
    asked: Pick<Payment, 'livemode' | 'amount' | 'customer' | 'payment_method' | 'currency' | 'metadata'>,
  ): Payment {
    const payment: Payment = {
      ...asked,
      id: this.newId('pi'),
      object: 'payment_intent',
      status: 'processing',
      amount_received: 0,
      last_payment_error: null,
      latest_charge: null,
      created: this.now(),
    }
    this.payments.set(payment.id, payment)
    return payment
  }

  /** The money of a pending payment has arrived. */
  succeedLate(sessionId: string): void {
    const session = this.#session(sessionId)
    this.#charge(session, this.paymentOf(session))
    this.#tell('checkout.session.async_payment_succeeded', session)
  }

  failLate(sessionId: string): void {
    const session = this.#session(sessionId)
    this.paymentOf(session).status = 'requires_payment_method'
    this.#tell('checkout.session.async_payment_failed', session)
  }

  expire(sessionId: string): void {
    const session = this.#open(sessionId)
    session.status = 'expired'
    session.url = null
    this.#tell('checkout.session.expired', session)
  }

  refund(paymentId: string, amount: number, metadata: Record<string, string> = {}): Refund {
    const charge = this.chargeOf(paymentId)
    if (amount > charge.amount - charge.amount_refunded) throw new RangeError('more than is left of the charge')
    const id = this.newId('re')
    const refund: Refund = {
      id,
      object: 'refund',
      amount,
      currency: charge.currency,
      status: 'succeeded',
      charge: charge.id,
      payment_intent: paymentId,
      metadata,
      balance_transaction: this.#line({
        type: 'refund',
        amount: -amount,
        fee: 0,
        currency: charge.currency,
        source: id,
      }).id,
      created: this.now(),
    }
    this.refunds.set(id, refund)
    charge.amount_refunded += amount
    charge.refunded = charge.amount_refunded === charge.amount
    this.#tell('refund.created', refund)
    return refund
  }

  failRefund(refundId: string): void {
    const refund = this.refunds.get(refundId)
    if (refund === undefined) throw new Error(`no refund ${refundId}`)
    const { amount, currency } = refund
    refund.status = 'failed'
    refund.failure_balance_transaction = this.#line({
      type: 'refund_failure',
      amount,
      fee: 0,
      currency,
      source: refundId,
    }).id
    const charge = this.chargeOf(refund.payment_intent)
    charge.amount_refunded -= amount
    charge.refunded = false
    this.#tell('refund.failed', refund)
  }

  /** A bank takes a payment back until the dispute is decided; an inquiry takes nothing. */
  dispute(paymentId: string, { amount, isInquiry = false }: { amount?: number; isInquiry?: boolean } = {}): Dispute {
    const charge = this.chargeOf(paymentId)
    charge.disputed = true
    const dispute: Dispute = {
      id: this.newId('dp'),
      object: 'dispute',
      livemode: charge.livemode,
      amount: amount ?? charge.amount,
      currency: charge.currency,
      status: isInquiry ? 'warning_needs_response' : 'needs_response',
      reason: 'fraudulent',
      evidence_details: { due_by: this.now() + evidenceSeconds },
      charge: charge.id,
      payment_intent: paymentId,
      metadata: {},
      balance_transactions: [],
      created: this.now(),
    }
    this.disputes.set(dispute.id, dispute)
    this.#tell('charge.dispute.created', dispute)
    if (isInquiry) return dispute
    this.#move(dispute, -dispute.amount, disputeFee)
    this.#tell('charge.dispute.funds_withdrawn', dispute)
    return dispute
  }

  win(disputeId: string): void {
    const dispute = this.#dispute(disputeId)
    dispute.status = 'won'
    this.#move(dispute, dispute.amount, -disputeFee)
    this.#tell('charge.dispute.funds_reinstated', dispute)
    this.#tell('charge.dispute.closed', dispute)
  }

  lose(disputeId: string): void {
    const dispute = this.#dispute(disputeId)
    dispute.status = 'lost'
    this.#tell('charge.dispute.closed', dispute)
  }

  /** A payout to the operator's bank, unrelated to any order. */
  payOut(amount: number): void {
    this.#line({ type: 'payout', amount: -amount, fee: 0, currency: 'usd', source: null })
  }

  /** A fee of the provider that belongs to no payment. */
  takeFee(amount: number): void {
    this.#line({ type: 'stripe_fee', amount: -amount, fee: 0, currency: 'usd', source: null })
  }

  /** Clears the lists: everything so far has been read, and long lists only cost time. */
  forgetLists(): void {
    this.events.length = 0
    this.lines.length = 0
  }

  /** The lines of the provider's ledger about one payment. */
  linesOf(paymentId: string): Line[] {
    const sources = new Set(
      [...this.charges.values(), ...this.refunds.values(), ...this.disputes.values()]
        .filter(({ payment_intent }) => payment_intent === paymentId)
        .map(({ id }) => id),
    )
    return this.lines.filter(({ source }) => source !== null && sources.has(source))
  }

  /** Emits an event unrelated to our orders. */
  tellOther(type: string, about: unknown): void {
    this.#tell(type, about)
  }

  paymentOf({ payment_intent }: Session): Payment {
    const payment = this.payments.get(payment_intent ?? '')
    if (payment === undefined) throw new Error('the session has no payment')
    return payment
  }

  chargeOf(paymentId: string): Charge {
    const charge = this.charges.get(this.payments.get(paymentId)?.latest_charge ?? '')
    if (charge === undefined) throw new Error(`no charge of ${paymentId}`)
    return charge
  }

  line(id: string): Line | undefined {
    return this.lines.find((line) => line.id === id)
  }

  /** A session by our order id. */
  sessionOf(topUpId: string): Session | undefined {
    return [...this.sessions.values()].find((session) => session.client_reference_id === topUpId)
  }

  #charge(session: Session | null, payment: Payment): void {
    const { amount, currency } = payment
    const id = this.newId('ch')
    const fee = Math.round((amount * 29) / 1_000) + 30
    const charge: Charge = {
      id,
      object: 'charge',
      livemode: payment.livemode,
      amount,
      amount_refunded: 0,
      currency,
      disputed: false,
      refunded: false,
      metadata: payment.metadata,
      payment_intent: payment.id,
      balance_transaction: this.#line({ type: 'charge', amount, fee, currency, source: id }).id,
      created: this.now(),
    }
    this.charges.set(id, charge)
    Object.assign(payment, { status: 'succeeded', amount_received: amount, latest_charge: id })
    if (session !== null) session.payment_status = 'paid'
  }

  #move(dispute: Dispute, amount: number, fee: number): void {
    const { id, currency } = dispute
    dispute.balance_transactions.push(this.#line({ type: 'adjustment', amount, fee, currency, source: id }))
  }

  #line(line: Pick<Line, 'type' | 'amount' | 'fee' | 'currency' | 'source'>): Line {
    const id = this.newId('txn')
    const added: Line = {
      id,
      object: 'balance_transaction',
      net: line.amount - line.fee,
      created: this.now(),
      ...line,
    }
    this.lines.push(added)
    return added
  }

  #tell(type: string, about: unknown): void {
    const event: ProviderEvent = {
      id: this.newId('evt'),
      object: 'event',
      api_version: apiVersion,
      type,
      livemode: this.isLive,
      created: this.now(),
      data: { object: structuredClone(about) },
    }
    this.events.push(event)
    this.#options.onEvent(event)
  }

  #session(id: string): Session {
    const session = this.sessions.get(id)
    if (session === undefined) throw new Error(`no session ${id}`)
    return session
  }

  #open(id: string): Session {
    const session = this.#session(id)
    if (session.status !== 'open') throw new Error(`the session ${id} is ${session.status}`)
    return session
  }

  #dispute(id: string): Dispute {
    const dispute = this.disputes.get(id)
    if (dispute === undefined) throw new Error(`no dispute ${id}`)
    return dispute
  }
}
