import { type Form, textIn } from './form.ts'
import type { ProviderState } from './provider-state.ts'

/**
 * Stripe's test-mode actions on behalf of a person: pay on a page with a test card token, expire a page, and answer a
 * dispute. Returns null for any other request. An impossible request throws.
 */
export function actInTestMode(state: ProviderState, path: string, body: Form): unknown {
  const [, , one = '', two = '', three = '', four = ''] = path.split('/')
  if (one === 'payment_methods' && two === '')
    return { id: `pm_${textIn(body, 'card', 'token')}`, object: 'payment_method' }
  if (one === 'payment_pages' && three === 'confirm') return pay(state, two, body)
  if (one === 'checkout' && two === 'sessions' && four === 'expire') {
    state.expire(three)
    return state.sessions.get(three)
  }
  if (one === 'disputes' && two !== '') return decide(state, two, body)
  return null
}

function pay(state: ProviderState, sessionId: string, body: Form): unknown {
  const session = state.sessions.get(sessionId)
  const expected = Number(textIn(body, 'expected_amount'))
  if (session?.amount_total !== expected) throw new RangeError('The expected amount is not that of the page.')
  const payment = state.pay(sessionId)
  if (textIn(body, 'payment_method') === 'pm_tok_createDispute') state.dispute(payment.id)
  return { id: sessionId, object: 'checkout.session', payment_status: session.payment_status }
}

function decide(state: ProviderState, disputeId: string, body: Form): unknown {
  const evidence = textIn(body, 'evidence', 'uncategorized_text')
  if (evidence === 'winning_evidence') state.win(disputeId)
  if (evidence === 'losing_evidence') state.lose(disputeId)
  return state.disputes.get(disputeId)
}
