import { type Form, listIn, readForm, textIn } from './form.ts'
import type { Line } from './objects.ts'
import type { ProviderState } from './provider-state.ts'
import { actInTestMode } from './sandbox-api.ts'

interface ApiCall {
  readonly method: string
  readonly path: string
  readonly query: Form
  readonly body: Form
}

export interface ApiAnswer {
  readonly status: number
  readonly body: unknown
}

/** The part of Stripe's API that a gateway or a worker calls. */
export function answerCall(state: ProviderState, call: ApiCall, pageUrl: string): ApiAnswer {
  const [, , one = '', two = '', three = ''] = call.path.split('/')
  const isPost = call.method === 'POST'
  if (isPost) {
    try {
      const done = actInTestMode(state, call.path, call.body)
      if (done !== null) return found(done)
    } catch (error) {
      return refused(400, 'invalid_request_error', error instanceof Error ? error.message : 'cannot be done')
    }
  }
  if (one === 'checkout' && two === 'sessions') {
    if (isPost && three === '') return createSession(state, call.body, pageUrl)
    const session = state.sessions.get(three)
    return session === undefined ? missing('checkout.session', three) : found(withPayment(state, session, call.query))
  }
  if (one === 'payment_intents') return answerPayments(state, call, two)
  if (one === 'customers' && isPost) return found(state.createCustomer(textsIn(call.body['metadata'])))
  if (one === 'customers' && call.method === 'DELETE') {
    return state.deleteCustomer(two) ? found({ id: two, object: 'customer', deleted: true }) : missing('customer', two)
  }
  if (one === 'payment_methods') return answerMethods(state, call, two)
  if (one === 'refunds') return isPost ? createRefund(state, call.body) : listRefunds(state, call.query)
  if (one === 'disputes') {
    const asked = textIn(call.query, 'payment_intent')
    return page(
      [...state.disputes.values()].filter(({ payment_intent }) => payment_intent === asked),
      call.query,
    )
  }
  if (one === 'events') {
    const types = new Set(listIn(call.query, 'types'))
    return page(
      state.events.filter(({ type }) => types.size === 0 || types.has(type)),
      call.query,
    )
  }
  if (one === 'balance_transactions') {
    const lines = isExpanded(call.query, 'data.source')
      ? state.lines.map((line) => withSource(state, line))
      : state.lines
    return page(lines, call.query)
  }
  return refused(404, 'invalid_request_error', `Unrecognized request URL (${call.method}: ${call.path}).`)
}

export function refused(status: number, type: string, message: string): ApiAnswer {
  return { status, body: { error: { type, message } } }
}

export function readQuery(search: string): Form {
  return readForm(search.replace(/^\?/, ''))
}

function found(body: unknown): ApiAnswer {
  return { status: 200, body }
}

function missing(kind: string, id: string): ApiAnswer {
  const error = { type: 'invalid_request_error', code: 'resource_missing', message: `No such ${kind}: '${id}'` }
  return { status: 404, body: { error } }
}

function createSession(state: ProviderState, body: Form, pageUrl: string): ApiAnswer {
  const items = Object.values(typeof body['line_items'] === 'object' ? body['line_items'] : {})
  const mode = textIn(body, 'mode')
  const customer = textIn(body, 'customer') ?? null
  const currency = mode === 'setup' ? textIn(body, 'currency') : textIn(items[0], 'price_data', 'currency')
  if (customer !== null && !state.customers.has(customer)) return missing('customer', customer)
  if ((mode !== 'payment' && mode !== 'setup') || currency === undefined) {
    return refused(400, 'invalid_request_error', 'A session needs a mode and line items.')
  }
  return found(
    state.createSession(
      {
        mode,
        customer,
        isSaving: textIn(body, 'payment_intent_data', 'setup_future_usage') === 'off_session',
        currency,
        lines: items.map((item) => ({
          name: textIn(item, 'price_data', 'product_data', 'name') ?? '',
          amount: Number(textIn(item, 'price_data', 'unit_amount')),
        })),
        clientReference: textIn(body, 'client_reference_id') ?? null,
        metadata: textsIn(body['metadata']),
        paymentMetadata: textsIn(
          typeof body['payment_intent_data'] === 'object' ? inner(body['payment_intent_data']) : {},
        ),
        successUrl: textIn(body, 'success_url') ?? '',
        cancelUrl: textIn(body, 'cancel_url') ?? '',
        expiresAt: Number(textIn(body, 'expires_at')),
      },
      pageUrl,
    ),
  )
}

function inner(value: Form[string]): Form[string] {
  return typeof value === 'object' && !Array.isArray(value) ? (value['metadata'] ?? {}) : {}
}

function textsIn(value: Form[string] | undefined): Record<string, string> {
  if (typeof value !== 'object' || Array.isArray(value)) return {}
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, text]) => (typeof text === 'string' ? [[name, text]] : [])),
  )
}

/** Creates a payment of a saved card, or returns one by its id, or those of a customer. */
function answerPayments(state: ProviderState, call: ApiCall, id: string): ApiAnswer {
  if (call.method === 'POST') return createCharge(state, call.body)
  if (id === '') {
    const customer = textIn(call.query, 'customer')
    return page(
      [...state.payments.values()].filter((payment) => payment.customer === customer),
      call.query,
    )
  }
  const payment = state.payments.get(id)
  if (payment === undefined) return missing('payment_intent', id)
  if (!isExpanded(call.query, 'latest_charge.balance_transaction')) return found(payment)
  const charge = state.charges.get(payment.latest_charge ?? '')
  const whole = charge === undefined ? null : { ...charge, balance_transaction: state.line(charge.balance_transaction) }
  return found({ ...payment, latest_charge: whole })
}

function createCharge(state: ProviderState, body: Form): ApiAnswer {
  const customer = textIn(body, 'customer') ?? ''
  const method = textIn(body, 'payment_method') ?? ''
  if (textIn(body, 'confirm') !== 'true' || textIn(body, 'off_session') !== 'true') {
    return refused(400, 'invalid_request_error', 'Only charges of saved cards are simulated.')
  }
  if (state.methods.get(method)?.customer !== customer) return missing('PaymentMethod', method)
  const currency = textIn(body, 'currency') ?? ''
  const amount = Number(textIn(body, 'amount'))
  const payment = state.chargeSaved({ amount, currency, customer, method, metadata: textsIn(body['metadata']) })
  const { last_payment_error: error } = payment
  if (error === null) return found(payment)
  const message = 'Your card was declined.'
  return { status: 402, body: { error: { type: 'card_error', message, ...error, payment_intent: payment } } }
}

function answerMethods(state: ProviderState, call: ApiCall, id: string): ApiAnswer {
  if (id === '') {
    const customer = textIn(call.query, 'customer')
    return page(
      [...state.methods.values()].filter((method) => method.customer === customer),
      call.query,
    )
  }
  const method = state.methods.get(id)
  if (method === undefined) return missing('PaymentMethod', id)
  if (call.path.endsWith('/detach')) method.customer = null
  return found(method)
}

function createRefund(state: ProviderState, body: Form): ApiAnswer {
  const payment = textIn(body, 'payment_intent') ?? ''
  try {
    return found(state.refund(payment, Number(textIn(body, 'amount')), textsIn(body['metadata'])))
  } catch (error) {
    return refused(400, 'invalid_request_error', error instanceof Error ? error.message : 'cannot be refunded')
  }
}

function listRefunds(state: ProviderState, query: Form): ApiAnswer {
  const asked = textIn(query, 'payment_intent')
  const refunds = [...state.refunds.values()].filter(({ payment_intent }) => payment_intent === asked)
  const whole = (id: string | undefined) => (id === undefined ? undefined : (state.line(id) ?? id))
  return page(
    refunds.map((refund) => ({
      ...refund,
      balance_transaction: whole(refund.balance_transaction),
      failure_balance_transaction: whole(refund.failure_balance_transaction),
    })),
    query,
  )
}

function withPayment(state: ProviderState, session: { payment_intent: string | null }, query: Form): unknown {
  const payment = state.payments.get(session.payment_intent ?? '')
  if (payment === undefined || !isExpanded(query, 'payment_intent.latest_charge.balance_transaction')) return session
  const charge = state.charges.get(payment.latest_charge ?? '')
  const whole = charge === undefined ? null : { ...charge, balance_transaction: state.line(charge.balance_transaction) }
  return { ...session, payment_intent: { ...payment, latest_charge: whole } }
}

function withSource(state: ProviderState, line: Line): Thing {
  const id = line.source ?? ''
  return { ...line, source: state.charges.get(id) ?? state.refunds.get(id) ?? state.disputes.get(id) ?? line.source }
}

function isExpanded(query: Form, path: string): boolean {
  return listIn(query, 'expand').includes(path)
}

/** Newest first, like all of Stripe's lists. */
function page(things: readonly Thing[], query: Form): ApiAnswer {
  const limit = Number(textIn(query, 'limit') ?? 10)
  const from = Number(textIn(query, 'created', 'gte') ?? 0)
  const until = Number(textIn(query, 'created', 'lt') ?? Number.POSITIVE_INFINITY)
  const newest = things.filter(({ created }) => created >= from && created < until).toReversed()
  const after = textIn(query, 'starting_after')
  const start = after === undefined ? 0 : newest.findIndex(({ id }) => id === after) + 1
  const data = newest.slice(start, start + limit)
  return found({ object: 'list', url: '', data, has_more: start + limit < newest.length })
}

interface Thing {
  readonly id: string
  readonly created: number
  readonly source?: unknown
}
