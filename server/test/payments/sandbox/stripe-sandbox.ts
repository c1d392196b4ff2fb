import { isJsonObject, type JsonObject, stringAt } from '#lib/json.ts'

/** Stripe's test mode, with the actions of a payer, a bank or its dashboard. */
interface StripeSandbox {
  readSession(id: string): Promise<JsonObject>
  expireSession(id: string): Promise<void>
  /** Pays a Checkout page with a test card, as `stripe trigger checkout.session.completed` does. */
  pay(session: JsonObject, token: 'tok_visa' | 'tok_createDispute'): Promise<void>
  /** A refund by an operator in the dashboard. */
  refund(paymentId: string, cents: number): Promise<void>
  /** Stripe decides a test dispute by the text of the evidence. */
  answerDispute(paymentId: string, outcome: 'winning_evidence' | 'losing_evidence'): Promise<void>
}

const timeoutMs = 30_000

export function createStripeSandbox({ url, secretKey }: { url: string; secretKey: string }): StripeSandbox {
  async function ask(method: 'GET' | 'POST', path: string, form: Record<string, string> = {}): Promise<JsonObject> {
    const query = new URLSearchParams(form).toString()
    const response = await fetch(`${url}/v1/${path}${method === 'GET' && query !== '' ? `?${query}` : ''}`, {
      method,
      headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/x-www-form-urlencoded' },
      ...(method === 'POST' ? { body: query } : {}),
      signal: AbortSignal.timeout(timeoutMs),
    })
    const body: unknown = await response.json()
    if (!response.ok || !isJsonObject(body))
      throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(body)}`)
    return body
  }
  return {
    readSession: (id) => ask('GET', `checkout/sessions/${id}`),
    expireSession: async (id) => {
      await ask('POST', `checkout/sessions/${id}/expire`)
    },
    pay: async (session, token) => {
      const method = await ask('POST', 'payment_methods', {
        type: 'card',
        'card[token]': token,
        'billing_details[email]': 'payer@example.com',
      })
      await ask('POST', `payment_pages/${stringAt(session, 'id')}/confirm`, {
        payment_method: stringAt(method, 'id') ?? '',
        expected_amount: String(session['amount_total']),
      })
    },
    refund: async (paymentId, cents) => {
      await ask('POST', 'refunds', { payment_intent: paymentId, amount: String(cents) })
    },
    answerDispute: async (paymentId, outcome) => {
      const { data } = await ask('GET', 'disputes', { payment_intent: paymentId })
      const dispute: unknown = Array.isArray(data) ? data[0] : undefined
      if (!isJsonObject(dispute)) throw new Error(`${paymentId} has no dispute`)
      await ask('POST', `disputes/${stringAt(dispute, 'id')}`, {
        'evidence[uncategorized_text]': outcome,
        submit: 'true',
      })
    },
  }
}
