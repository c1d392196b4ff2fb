import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatUsd, parseUsd, zeroUsd } from '#domain/money/nano-usd.ts'
import { minor, zeroMinor } from './currency.ts'
import { parseRate } from './exchange-rate.ts'
import { judgePayment, type PaymentVerdict } from './judge-payment.ts'
import type { PaymentReading } from './payment-reading.ts'
import { chargedAmounts, quoteTopUp } from './quote-top-up.ts'
import type { PaymentSums, TopUp } from './top-up.ts'

const none: PaymentSums = {
  paid: zeroMinor,
  refunded: zeroMinor,
  returned: zeroMinor,
  withdrawn: zeroMinor,
  reinstated: zeroMinor,
  lost: zeroMinor,
  processorFee: zeroMinor,
  processorFeeReturned: zeroMinor,
}

function orderOf(credit: string, { currency = 'usd', rate = null as string | null } = {}): TopUp {
  const terms = { feePercent: 10, taxPercent: 5 }
  const quote = quoteTopUp(parseUsd(credit), currency === 'usd' ? 'usd' : 'local', terms)
  const lines = Object.fromEntries(quote.lines.map(({ item, amount }) => [item, amount]))
  const parsed = rate === null ? null : (parseRate(rate) ?? null)
  const code = currency === 'usd' ? 'usd' : currency === 'jpy' ? 'jpy' : 'cny'
  return {
    id: '01890000-0000-7000-8000-000000000001',
    walletId: '01890000-0000-7000-8000-000000000002',
    payerId: null,
    provider: 'stripe',
    isLive: false,
    channel: code === 'usd' ? 'usd' : 'local',
    currency: code,
    rate: parsed,
    quoted: { credit: quote.credit, fee: lines['fee'] ?? zeroUsd, tax: lines['tax'] ?? zeroUsd },
    percents: null,
    invoiceNumber: null,
    charged: chargedAmounts(quote, { currency: code, rate: parsed }),
    state: 'open',
    mismatch: null,
    sums: none,
    booked: { credit: zeroUsd, fee: zeroUsd, tax: zeroUsd },
    disputed: zeroUsd,
    effects: 0,
    checkoutRef: null,
    paymentRef: null,
    checkoutUrl: null,
    customerRef: null,
    methodRef: null,
    reference: null,
    createdAtMs: 0,
    paidAtMs: null,
  }
}

type Said = Partial<Record<keyof PaymentSums, bigint>>

function readingOf(order: TopUp, said: Said, changes: Partial<PaymentReading> = {}): PaymentReading {
  const sums: PaymentSums = { ...none }
  const told = Object.fromEntries(Object.entries(said).map(([name, amount]) => [name, minor(amount)]))
  return {
    status: 'paid',
    isLive: false,
    topUpId: order.id,
    currency: order.currency,
    sums: { ...sums, ...told },
    checkoutRef: 'cs_1',
    paymentRef: 'pi_1',
    ...changes,
  }
}

function after(order: TopUp, verdict: PaymentVerdict): TopUp {
  const { effects, ...rest } = verdict
  return { ...order, ...rest, effects: order.effects + effects.length }
}

function tell(order: TopUp, said: Said): { order: TopUp; moves: string[]; state: string } {
  const verdict = judgePayment(order, readingOf(order, said))
  const moves = verdict.effects.flatMap(({ transfers }) =>
    transfers.map(({ kind, debit, credit, amount }) => `${kind} ${debit}>${credit} ${formatUsd(amount)}`),
  )
  return { order: after(order, verdict), moves, state: verdict.state }
}

const paid = tell(orderOf('100'), { paid: 11_000n })

describe('a payment', () => {
  it('is credited with its fee once, however often it is told', () => {
    expect(paid).toMatchObject({ state: 'paid', moves: ['top_up cash>wallet 100', 'fee cash>fees 10'] })
    expect(tell(paid.order, { paid: 11_000n }).moves).toEqual([])
    expect(judgePayment(paid.order, readingOf(paid.order, {}, { status: 'open' })).effects).toEqual([])
  })

  it('with tax is credited with both beside it', () => {
    const order = orderOf('100', { currency: 'cny', rate: '7.25' })
    expect(order.charged.total).toBe(83_375n)
    expect(tell(order, { paid: 83_375n }).moves).toEqual([
      'top_up cash>wallet 100',
      'fee cash>fees 10',
      'tax cash>tax 5',
    ])
  })

  it('P6 waits while the money is on its way, and expires only while nothing has come', () => {
    const order = orderOf('100')
    for (const status of ['open', 'pending', 'absent'] as const) {
      expect(judgePayment(order, readingOf(order, {}, { status }))).toMatchObject({ state: 'open', effects: [] })
    }
    const expired = after(order, judgePayment(order, readingOf(order, {}, { status: 'expired' })))
    expect(expired.state).toBe('expired')
    expect(judgePayment(expired, readingOf(expired, {}, { status: 'open' })).state).toBe('expired')
    expect(tell(expired, { paid: 11_000n })).toMatchObject({ state: 'paid' })
    expect(judgePayment(paid.order, readingOf(paid.order, {}, { status: 'expired' })).state).toBe('paid')
  })

  it.each([
    [5_500n, ['top_up cash>wallet 50', 'fee cash>fees 5']],
    [5_501n, ['top_up cash>wallet 50.01', 'fee cash>fees 5']],
    [22_000n, ['top_up cash>wallet 200', 'fee cash>fees 20']],
    [1n, ['top_up cash>wallet 0.01']],
  ])('P7 of %i instead of 11000 cents is credited less its fee, and marked', (amount, moves) => {
    const told = tell(orderOf('100'), { paid: amount })
    expect(told.moves).toEqual(moves)
    expect(told.order).toMatchObject({ state: 'paid', mismatch: 'amount' })
  })

  it.each([
    ['currency', { currency: 'eur' }],
    ['mode', { isLive: true }],
    ['order', { topUpId: 'another' }],
  ] as const)('P7 of another %s is parked, and not credited', (mismatch, changes) => {
    const order = orderOf('100')
    const verdict = judgePayment(order, readingOf(order, { paid: 11_000n }, changes))
    expect(verdict).toMatchObject({ state: 'mismatch', mismatch, effects: [], sums: none })
    const parked = after(order, verdict)
    const gone = judgePayment(parked, readingOf(order, { paid: 11_000n, refunded: 11_000n }, changes))
    expect(gone).toMatchObject({ state: 'refunded', mismatch, effects: [] })
    const back = { paid: 11_000n, refunded: 11_000n, returned: 1n }
    expect(judgePayment(parked, readingOf(order, back, changes))).toMatchObject({ state: 'mismatch', mismatch })
    // Only received money of an order that was not credited before counts.
    const waiting = readingOf(order, {}, { ...changes, status: 'open' })
    expect(judgePayment(order, waiting)).toMatchObject({ state: 'open', mismatch: null })
    const unpaid = readingOf(order, { paid: 11_000n }, { ...changes, status: 'pending' })
    expect(judgePayment(order, unpaid).mismatch).toBeNull()
    expect(judgePayment(order, readingOf(order, {}, changes))).toMatchObject({ state: 'open', mismatch: null })
    const later = judgePayment(paid.order, readingOf(order, { paid: 11_000n }, changes))
    expect(later).toMatchObject({ state: 'paid', mismatch: null })
  })

  it('is booked once, also where another amount is told later, and each effect says what it adds', () => {
    expect(tell(paid.order, { paid: 22_000n })).toMatchObject({ state: 'paid', moves: [] })
    expect(judgePayment(paid.order, readingOf(paid.order, { paid: 22_000n })).effects).toEqual([])
    expect(paid.order.mismatch).toBeNull()
    const half = judgePayment(paid.order, readingOf(paid.order, { paid: 11_000n, refunded: 5_500n }))
    const order = after(paid.order, half)
    const all = judgePayment(order, readingOf(order, { paid: 11_000n, refunded: 7_700n }))
    expect([half, all].map(({ effects }) => effects.map(({ kind, amount, sum }) => [kind, amount, sum]))).toEqual([
      [['refund', 5_500n, 5_500n]],
      [['refund', 2_200n, 7_700n]],
    ])
  })

  it('P12 books what the processor takes and gives back as a cost of the service', () => {
    expect(tell(orderOf('100'), { paid: 11_000n, processorFee: 349n }).moves).toContain(
      'processor_fee processor>cash 3.49',
    )
    expect(tell(paid.order, { paid: 11_000n, processorFee: 1_849n, processorFeeReturned: 1_500n }).moves).toEqual([
      'processor_fee processor>cash 18.49',
      'processor_fee cash>processor 15',
    ])
  })
})

describe('P9 a refund', () => {
  it('takes credit and fee in proportion, by the sum that went back', () => {
    const half = tell(paid.order, { paid: 11_000n, refunded: 5_500n })
    expect(half).toMatchObject({ state: 'partly_refunded', moves: ['refund wallet>cash 50', 'refund fees>cash 5'] })
    const all = tell(half.order, { paid: 11_000n, refunded: 11_000n })
    expect(all).toMatchObject({ state: 'refunded', moves: ['refund wallet>cash 50', 'refund fees>cash 5'] })
    // An older reading that arrives later.
    expect(tell(all.order, { paid: 11_000n, refunded: 5_500n })).toMatchObject({ state: 'refunded', moves: [] })
  })

  it('that fails later gives the credit back', () => {
    const all = tell(paid.order, { paid: 11_000n, refunded: 11_000n })
    const returned = tell(all.order, { paid: 11_000n, refunded: 11_000n, returned: 5_500n })
    expect(returned).toMatchObject({
      state: 'partly_refunded',
      moves: ['refund cash>wallet 50', 'refund cash>fees 5'],
    })
  })

  it('of a payment that has not come is nothing', () => {
    const order = orderOf('100')
    expect(judgePayment(order, readingOf(order, { refunded: 100n }))).toMatchObject({ state: 'open', effects: [] })
  })
})

describe('P10 a dispute', () => {
  const opened = tell(paid.order, { paid: 11_000n, withdrawn: 11_000n })

  it('moves what the bank took out of wallet and fees, and back when it is won', () => {
    expect(opened).toMatchObject({
      state: 'disputed',
      moves: ['dispute wallet>disputed 100', 'dispute fees>disputed 10'],
    })
    expect(tell(opened.order, { paid: 11_000n, withdrawn: 11_000n, reinstated: 11_000n })).toMatchObject({
      state: 'won',
      moves: ['dispute_won disputed>wallet 100', 'dispute_won disputed>fees 10'],
    })
  })

  it('that is lost takes nothing more from the wallet', () => {
    expect(tell(opened.order, { paid: 11_000n, withdrawn: 11_000n, lost: 11_000n })).toMatchObject({
      state: 'lost',
      moves: ['dispute_lost disputed>cash 110'],
    })
  })

  it('after a refund takes no more from the wallet than was credited; the rest is a loss', () => {
    const refunded = tell(paid.order, { paid: 11_000n, refunded: 11_000n })
    expect(tell(refunded.order, { paid: 11_000n, refunded: 11_000n, withdrawn: 11_000n })).toMatchObject({
      state: 'disputed',
      moves: ['dispute losses>disputed 110'],
    })
    const half = tell(paid.order, { paid: 11_000n, refunded: 5_500n })
    expect(tell(half.order, { paid: 11_000n, refunded: 5_500n, withdrawn: 11_000n }).moves).toEqual([
      'dispute wallet>disputed 50',
      'dispute fees>disputed 5',
      'dispute losses>disputed 55',
    ])
  })

  it('of a payment in another currency leaves no cent in between', () => {
    const order = tell(orderOf('33.33', { currency: 'jpy', rate: '151.7' }), { paid: 5_819n }).order
    const steps: Said[] = [
      { withdrawn: 2_500n },
      { withdrawn: 2_500n, refunded: 1_001n },
      { withdrawn: 2_500n, refunded: 1_001n, reinstated: 1_111n },
      { withdrawn: 2_500n, refunded: 1_001n, reinstated: 1_111n, lost: 1_389n },
    ]
    const last = steps.reduce((current, said) => tell(current, { paid: 5_819n, ...said }).order, order)
    expect(last.state).toBe('lost')
    expect(last.disputed).toBe(0n)
  })
})

/** Any history: sums that grow in random steps and are reported in any order, some of them never. */
const history = fc.record({
  credit: fc.bigInt({ min: 1n, max: 1_000_000n }),
  currency: fc.constantFrom('usd', 'cny', 'jpy'),
  paid: fc.option(fc.bigInt({ min: 1n, max: 2_000_000n }), { nil: undefined, freq: 2 }),
  steps: fc.array(
    fc.record({ refund: fc.nat(40), fail: fc.nat(20), withdraw: fc.nat(40), win: fc.nat(50), lose: fc.nat(50) }),
    { maxLength: 8 },
  ),
  told: fc.array(fc.nat(7), { maxLength: 12 }),
})

const share = (of: bigint, percent: number): bigint => (of * BigInt(percent)) / 100n

function sumsOf(
  paid: bigint,
  steps: readonly Record<'refund' | 'fail' | 'withdraw' | 'win' | 'lose', number>[],
): Said[] {
  let now = { paid, refunded: 0n, returned: 0n, withdrawn: 0n, reinstated: 0n, lost: 0n, processorFee: 0n }
  return steps.map(({ refund, fail, withdraw, win, lose }) => {
    const refunded = now.refunded + share(paid, refund)
    const withdrawn = now.withdrawn + share(paid, withdraw)
    const open = withdrawn - now.reinstated - now.lost
    now = {
      paid,
      refunded,
      returned: now.returned + share(refunded - now.returned, fail),
      withdrawn,
      reinstated: now.reinstated + share(open, win),
      lost: now.lost + share(open, lose),
      processorFee: now.processorFee + BigInt(refund),
    }
    return now
  })
}

/** Reports all readings to an order and returns the final balance of each ledger account. */
function tellAll(order: TopUp, said: readonly Said[]) {
  const balances = new Map<string, bigint>()
  const add = (account: string, amount: bigint) => balances.set(account, (balances.get(account) ?? 0n) + amount)
  const has = (account: string): bigint => balances.get(account) ?? 0n
  let current = order
  for (const reading of said) {
    const verdict = judgePayment(current, readingOf(current, reading))
    for (const { debit, credit, amount } of verdict.effects.flatMap(({ transfers }) => transfers)) {
      expect(amount > 0n && amount % 10_000_000n === 0n).toBe(true)
      add(debit, -amount)
      add(credit, amount)
    }
    current = after(current, verdict)
    expect(has('disputed')).toBe(current.disputed)
    for (const account of ['wallet', 'fees', 'tax']) expect(has(account) >= 0n, account).toBe(true)
  }
  expect([...balances.values()].reduce((sum, balance) => sum + balance, 0n)).toBe(0n)
  return { order: current, has }
}

/** The final balance at a provider that pays in US dollars, in cents. */
function netOf({ paid = 0n, refunded = 0n, returned = 0n, withdrawn = 0n, reinstated = 0n, processorFee = 0n }: Said) {
  return paid - refunded + returned - withdrawn + reinstated - processorFee
}

describe('any history of a payment', () => {
  it('P9 P10 leaves what its last sums say, in whatever order it was told, and every leg whole cents above zero', () => {
    fc.assert(
      fc.property(history, ({ credit, currency, paid: asked, steps, told }) => {
        const rate = { usd: null, cny: '7.2451', jpy: '151.234' }[currency] ?? null
        const usd = `${credit / 100n}.${(credit % 100n).toString().padStart(2, '0')}`
        const order = orderOf(usd, { currency, rate })
        const amount = asked ?? order.charged.total
        const all = [{ paid: amount }, ...sumsOf(amount, steps)]
        const last = all.at(-1) ?? { paid: amount }
        const inOrder = tellAll(order, all)
        const shuffled = tellAll(order, [...told.flatMap((index) => all[index] ?? []), last])
        for (const account of ['wallet', 'fees', 'tax']) expect(shuffled.has(account)).toBe(inOrder.has(account))
        expect(shuffled.order).toMatchObject({ state: inOrder.order.state, sums: inOrder.order.sums })
        if (currency !== 'usd') return
        // The provider's balance matches ours to the cent: it equals the sum that left `cash` and `disputed`.
        for (const { has } of [inOrder, shuffled]) {
          expect(-has('cash') - has('disputed')).toBe(netOf(last) * 10_000_000n)
        }
      }),
      { numRuns: 400 },
    )
  })
})

describe('P09: the state of an order of 110 USD', () => {
  const paid = 11_000n
  // Every combination of partial and full refunds and disputes, won and lost.
  it.each<[Said, string]>([
    [{}, 'open'],
    [{ paid }, 'paid'],
    [{ paid, refunded: 1n }, 'partly_refunded'],
    [{ paid, refunded: paid }, 'refunded'],
    [{ paid, refunded: paid, returned: 1n }, 'partly_refunded'],
    [{ paid, refunded: paid, returned: paid }, 'paid'],
    [{ paid, withdrawn: paid }, 'disputed'],
    [{ paid, withdrawn: 1n }, 'disputed'],
    [{ paid, withdrawn: paid, reinstated: 1n }, 'disputed'],
    [{ paid, withdrawn: paid, reinstated: paid }, 'won'],
    [{ paid, withdrawn: paid, lost: paid }, 'lost'],
    [{ paid, withdrawn: paid, lost: 1n }, 'disputed'],
    [{ paid, withdrawn: 3n, reinstated: 1n, lost: 1n }, 'disputed'],
    [{ paid, withdrawn: 2n, reinstated: 1n, lost: 1n }, 'lost'],
    [{ paid, refunded: 1n, withdrawn: 1n }, 'disputed'],
    [{ paid, refunded: 1n, withdrawn: 1n, reinstated: 1n }, 'partly_refunded'],
    [{ paid, refunded: paid, withdrawn: 1n, reinstated: 1n }, 'refunded'],
    [{ paid, refunded: 1n, withdrawn: 1n, lost: 1n }, 'lost'],
  ])('with %o is %s', (said, state) => {
    const order = orderOf('100')
    expect(judgePayment(order, readingOf(order, said)).state).toBe(state)
  })
})
