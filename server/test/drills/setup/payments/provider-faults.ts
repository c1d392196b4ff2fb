import type { ApiFault } from '#test/simulators/payments/start-payments.ts'
import type { WebhookFault } from '#test/simulators/payments/webhook-sender.ts'
import type { Buyer } from './buyer.ts'
import type { Flow } from './interleave.ts'

/** An action of a provider, a bank or the network on an order. */
export interface ProviderFault {
  readonly name: string
  /** Runs before the order is created. */
  readonly begin?: (buyer: Buyer) => void
  /** Runs once there is a payment page. */
  readonly happen: (buyer: Buyer) => Flow
}

/** An order without a fault. It is paid at once. */
export const noFault: ProviderFault = {
  name: 'none',
  async *happen(buyer) {
    buyer.pay()
    yield
  },
}

export const providerFaults: readonly ProviderFault[] = [
  ...(['drop', 'delay', 'duplicate', 'truncate', 'stale', 'forge'] as const).map(failingWebhooks),
  {
    name: 'reorder',
    async *happen(buyer) {
      const { state, webhooks } = buyer.provider
      const { id } = buyer.pay({ later: true })
      state.succeedLate(buyer.session.id)
      state.refund(id, buyer.part())
      state.win(state.dispute(id).id)
      await webhooks.deliver({ isReversed: true })
      yield
    },
  },
  failingCalls('500-after-doing-it', '500-after'),
  failingCalls('429', '429'),
  failingCalls('connection-cut', 'hang-up', 'cut'),
  {
    name: 'expired-session',
    async *happen(buyer) {
      yield
      buyer.provider.state.expire(buyer.session.id)
      yield
    },
  },
  {
    name: 'paid-late',
    async *happen(buyer) {
      buyer.pay({ later: true })
      yield
      buyer.provider.state.succeedLate(buyer.session.id)
      yield
    },
  },
  {
    name: 'failed-late',
    async *happen(buyer) {
      buyer.pay({ later: true })
      yield
      buyer.provider.state.failLate(buyer.session.id)
      yield
    },
  },
  {
    name: 'refund-in-parts',
    async *happen(buyer) {
      const { id } = buyer.pay()
      for (let parts = buyer.random.integer(2, 3); parts > 0; parts -= 1) {
        if (buyer.random.chance(0.6)) yield
        buyer.provider.state.refund(id, buyer.part())
      }
      yield
    },
  },
  {
    name: 'failed-refund',
    async *happen(buyer) {
      const { state } = buyer.provider
      const refund = state.refund(buyer.pay().id, buyer.part())
      yield
      state.failRefund(refund.id)
      yield
    },
  },
  disputed('dispute-open', null),
  disputed('dispute-won', 'win'),
  disputed('dispute-lost', 'lose'),
]

/** The webhooks of a payment and of its refund fail. */
function failingWebhooks(fault: WebhookFault): ProviderFault {
  return {
    name: `webhook-${fault}`,
    async *happen(buyer) {
      const { state, webhooks } = buyer.provider
      webhooks.failNext(fault)
      const { id } = buyer.pay()
      if (buyer.random.chance(0.5)) yield
      webhooks.failNext(fault)
      state.refund(id, buyer.part())
      yield
      webhooks.releaseDelayed()
      yield
    },
  }
}

/**
 * Requests to the provider fail: for the page, for the payment status, and for a refund. Sometimes all tries of a
 * request fail.
 */
function failingCalls(name: string, fault: ApiFault, webhook?: WebhookFault): ProviderFault {
  const fail = ({ provider, random }: Buyer, call: string): void =>
    provider.failNext(call, ...Array.from({ length: random.chance(0.2) ? 3 : 1 }, () => fault))
  return {
    name,
    begin: (buyer) => fail(buyer, 'POST /v1/checkout/sessions'),
    async *happen(buyer) {
      if (webhook !== undefined) buyer.provider.webhooks.failNext(webhook)
      fail(buyer, 'GET /v1/checkout/sessions')
      buyer.pay()
      yield
      fail(buyer, 'GET /v1/refunds')
      fail(buyer, 'POST /v1/refunds')
      yield* buyer.refund()
    },
  }
}

/** A bank takes back all or part of a payment, sometimes after a partial refund. */
function disputed(name: string, end: 'win' | 'lose' | null): ProviderFault {
  return {
    name,
    async *happen(buyer) {
      const { state } = buyer.provider
      const { id } = buyer.pay()
      if (buyer.random.chance(0.5)) yield
      if (buyer.random.chance(0.3)) state.refund(id, buyer.part())
      const dispute = state.dispute(id, buyer.random.chance(0.5) ? { amount: buyer.part() } : {})
      yield
      if (end !== null) state[end](dispute.id)
      yield
    },
  }
}
