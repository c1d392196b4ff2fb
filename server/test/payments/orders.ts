import type { Pool } from 'pg'
import type { Issuer } from '#domain/billing/parties.ts'
import { parseUsd, zeroUsd } from '#domain/money/nano-usd.ts'
import { type Currency, minor, zeroMinor } from '#domain/payments/currency.ts'
import { parseRate } from '#domain/payments/exchange-rate.ts'
import type { PaymentReading } from '#domain/payments/payment-reading.ts'
import { chargedAmounts, quoteTopUp } from '#domain/payments/quote-top-up.ts'
import type { PaymentSums, TopUp } from '#domain/payments/top-up.ts'
import { newUuid } from '#lib/uuid.ts'
import type { NewTopUp, PaymentEvent } from '#ports/payments.ts'
import { createTopUps } from '#store/postgres/payments/postgres-top-ups.ts'

const terms = { feePercent: 10, taxPercent: 5 }

export const testIssuer: Issuer = {
  seller: { name: 'Seller', address: 'Street 1', taxId: 'T1', prefix: 'TEST' },
  creditsUrl: 'https://weir.test/console/credits',
}

interface TestOrder {
  readonly walletId: string
  readonly payerId?: string | null
  readonly credit: string
  readonly currency?: Currency
  readonly rate?: string
}

/** An order as the gateway creates it. */
export function newOrder({ walletId, payerId = null, credit, currency = 'usd', rate }: TestOrder): NewTopUp {
  const channel = currency === 'usd' ? 'usd' : 'local'
  const quote = quoteTopUp(parseUsd(credit), channel, terms)
  const amountOf = (name: 'fee' | 'tax') => quote.lines.find(({ item }) => item === name)?.amount ?? zeroUsd
  const exchange = rate === undefined ? null : (parseRate(rate) ?? null)
  return {
    id: newUuid(Date.now()),
    walletId,
    payerId,
    provider: 'stripe',
    isLive: false,
    channel,
    currency,
    rate: exchange,
    quoted: { credit: quote.credit, fee: amountOf('fee'), tax: amountOf('tax') },
    charged: chargedAmounts(quote, { currency, rate: exchange }),
    percents: { fee: terms.feePercent, tax: channel === 'local' ? terms.taxPercent : 0 },
    reference: null,
  }
}

export const entry = {
  chainId: '00000000-0000-0000-0000-000000000000',
  actor: { kind: 'system', id: null, name: null },
  requestId: null,
  action: 'top_up.order',
  target: null,
} as const

export async function addOrder(pool: Pool, order: TestOrder): Promise<TopUp> {
  const added = await createTopUps(pool, testIssuer).add(newOrder(order), {
    limit: null,
    request: null,
    entry: () => entry,
  })
  if (added === 'over_limit' || added === 'key_reused') throw new Error('the order is over a limit')
  return added
}

const nothing: PaymentSums = {
  paid: zeroMinor,
  refunded: zeroMinor,
  returned: zeroMinor,
  withdrawn: zeroMinor,
  reinstated: zeroMinor,
  lost: zeroMinor,
  processorFee: zeroMinor,
  processorFeeReturned: zeroMinor,
}

/** The provider's reading of a fully paid order. */
export function paidReading(order: TopUp, said: Partial<Record<keyof PaymentSums, bigint>> = {}): PaymentReading {
  const told = Object.fromEntries(Object.entries(said).map(([name, amount]) => [name, minor(amount)]))
  return {
    status: 'paid',
    isLive: false,
    topUpId: order.id,
    currency: order.currency,
    sums: { ...nothing, paid: order.charged.total, ...told },
    checkoutRef: `cs_${order.id}`,
    paymentRef: `pi_${order.id}`,
  }
}

export function eventOf(order: TopUp, id: string): PaymentEvent {
  const refs = { topUpId: order.id, checkoutRef: null, paymentRef: null }
  return { id, type: 'checkout.session.completed', isLive: false, createdAtMs: Date.now(), ...refs }
}
