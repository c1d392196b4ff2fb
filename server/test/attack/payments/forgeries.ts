import type { ProviderEvent, Session } from '#test/simulators/payments/objects.ts'
import { signEvent } from './send-event.ts'

/** The knowledge of a forger. */
export interface Loot {
  /** The event of a paid and booked order, and its checkout session. */
  readonly event: ProviderEvent
  readonly paid: Session
  /** The checkout session of an unpaid order. */
  readonly unpaid: Session
  /** The provider's webhook secret. Only forgeries that assume a leak may use it unchanged. */
  readonly secret: string
  /** Returns an unused event id. */
  newId(): string
}

interface Forgery {
  readonly name: string
  readonly status: 200 | 400
  forge(loot: Loot): { text: string; signature: string | null }
}

const staleMs = 600_000
const textOf = (value: unknown): string => JSON.stringify(value, null, 2)

/** Events that a stranger can send. The gateway rejects each one before it reads an order. */
const unsigned: readonly Forgery[] = [
  rejected('no signature', () => null),
  rejected('an empty signature', () => ''),
  rejected('a signature that is no signature', () => 't=0,v1=00'),
  rejected('a signature with another secret', (text, { secret }) => signNow(text, `${secret}-of-another`)),
  rejected('a signature with an empty secret', (text) => signNow(text, '')),
  rejected('a signature of another body', (_text, { secret }) => signNow('{}', secret)),
  rejected('a signature of another scheme', (text, { secret }) => signNow(text, secret).replace('v1=', 'v0=')),
  rejected('an old timestamp', (text, { secret }) => signEvent(text, { secret, atMs: Date.now() - staleMs })),
  rejected('a new timestamp with an old signature', (text, { secret }) => {
    const [, digest] = signEvent(text, { secret, atMs: Date.now() - staleMs }).split(',')
    return `t=${Math.floor(Date.now() / 1_000)},${digest}`
  }),
  {
    name: 'an amount that was changed after it was signed',
    status: 400,
    forge: ({ event, secret }) => {
      const text = textOf(event)
      return { text: text.replace(/"amount_total": \d+/, '"amount_total": 99999999'), signature: signNow(text, secret) }
    },
  },
]

/** Events of a forger who has the secret: the gateway only believes the provider. */
const signed: readonly Forgery[] = [
  signedAs('the other mode', 400, ({ event, newId }) => ({ ...event, id: newId(), livemode: true })),
  signedAs('null', 400, () => null),
  signedAs('an array', 400, () => []),
  signedAs('no object', 400, ({ event, newId }) => ({ ...event, id: newId(), data: null })),
  signedAs('an unpaid order that is said to be paid', 200, (loot) => about(loot, paidSession(loot.unpaid))),
  signedAs('a payment of another order', 200, (loot) =>
    about(loot, { ...paidSession(loot.unpaid), payment_intent: loot.paid.payment_intent }),
  ),
  signedAs('a checkout session of another order', 200, (loot) =>
    about(loot, { ...loot.paid, client_reference_id: loot.unpaid.client_reference_id, metadata: {} }),
  ),
  signedAs('a known id for another order', 200, (loot) => ({
    ...about(loot, paidSession(loot.unpaid)),
    id: loot.event.id,
  })),
  signedAs('a larger amount', 200, (loot) => about(loot, { ...loot.paid, amount_total: 99_999_999 })),
  signedAs('a paid order that is said to be expired', 200, (loot) => ({
    ...about(loot, { ...loot.paid, status: 'expired', payment_status: 'unpaid' }),
    type: 'checkout.session.expired',
  })),
  signedAs('a paid order that is said to have failed', 200, (loot) => ({
    ...about(loot, { ...loot.paid, payment_status: 'unpaid' }),
    type: 'checkout.session.async_payment_failed',
  })),
  signedAs('a refund that never was', 200, (loot) => ({
    ...about(loot, { id: 're_forged', object: 'refund', amount: 1_100, payment_intent: loot.paid.payment_intent }),
    type: 'refund.created',
  })),
  signedAs('a dispute that never was', 200, (loot) => ({
    ...about(loot, { id: 'dp_forged', object: 'dispute', amount: 1_100, payment_intent: loot.paid.payment_intent }),
    type: 'charge.dispute.funds_withdrawn',
  })),
]

export const forgeries: readonly Forgery[] = [...unsigned, ...signed]

function rejected(name: string, sign: (text: string, loot: Loot) => string | null): Forgery {
  return {
    name,
    status: 400,
    forge: (loot) => {
      const text = textOf({ ...loot.event, id: loot.newId(), data: { object: paidSession(loot.unpaid) } })
      return { text, signature: sign(text, loot) }
    },
  }
}

function signedAs(name: string, status: Forgery['status'], eventOf: (loot: Loot) => unknown): Forgery {
  return {
    name: `signed: ${name}`,
    status,
    forge: (loot) => {
      const text = textOf(eventOf(loot))
      return { text, signature: signNow(text, loot.secret) }
    },
  }
}

function signNow(text: string, secret: string): string {
  return signEvent(text, { secret, atMs: Date.now() })
}

function about({ event, newId }: Loot, object: unknown): ProviderEvent {
  return { ...event, id: newId(), data: { object } }
}

function paidSession(session: Session): Session {
  return { ...session, status: 'complete', payment_status: 'paid' }
}
