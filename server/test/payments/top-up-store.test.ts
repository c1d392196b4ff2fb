import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseUsd } from '#domain/money/nano-usd.ts'
import type { PaymentReading } from '#domain/payments/payment-reading.ts'
import type { TopUp } from '#domain/payments/top-up.ts'
import { newUuid } from '#lib/uuid.ts'
import type { OrderLimit, PaymentEvent, TopUps } from '#ports/payments.ts'
import { settleGenerations } from '#store/postgres/money/settle-generations.sql.ts'
import { auditLedger } from '#store/postgres/reconciliation/audit-ledger.ts'
import { purgeIdempotencyKeys } from '#store/postgres/idempotency/idempotency-keys.sql.ts'
import { purgeEvents } from '#store/postgres/payments/payment-events.sql.ts'
import { createTopUps } from '#store/postgres/payments/postgres-top-ups.ts'
import { settleEntry } from '#test/money/settles.ts'
import { createAccounts, type TestAccounts } from '#test/setup/accounts.ts'
import { createTestDatabase, type TestDatabase } from '#test/setup/database.ts'
import { addOrder, entry, eventOf, newOrder, paidReading, testIssuer } from './orders.ts'

const isOrder = (outcome: TopUp | string): outcome is TopUp => typeof outcome !== 'string'

describe('orders on Postgres', () => {
  let database: TestDatabase
  let accounts: TestAccounts
  let topUps: TopUps

  beforeAll(async () => {
    database = await createTestDatabase()
    accounts = createAccounts(database.pool, { secret: 'unused', refresh: async () => {} })
    topUps = createTopUps(database.pool, testIssuer)
  })
  afterAll(() => database.drop())

  let nowMs = Date.now()
  /** Each call is a second after the last, so that ids sort by time. */
  const apply = (order: TopUp, reading: PaymentReading, event: PaymentEvent | null = null) => {
    nowMs += 1_000
    return topUps.apply(order.id, reading, { event, nowMs, describe: () => [] })
  }
  const newWallet = async () => (await accounts.createClient({ usd: '0' })).walletId
  const rowsOf = async (text: string, ...values: unknown[]) => (await database.pool.query(text, values)).rows
  const audit = () => auditLedger(database.pool, { overdueMs: 60_000 })

  it('P1 keep all that was quoted, and are found again', async () => {
    const walletId = await newWallet()
    const order = await addOrder(database.pool, { walletId, credit: '12.34', currency: 'cny', rate: '7.2451' })
    expect(order).toMatchObject({
      state: 'open',
      currency: 'cny',
      rate: 724_510_000n,
      quoted: { credit: parseUsd('12.34'), fee: parseUsd('1.24'), tax: parseUsd('0.62') },
      charged: { credit: 8_941n, fee: 899n, tax: 450n, total: 10_290n },
    })
    expect(await topUps.find(order.id)).toEqual(order)
    await topUps.noteCheckout(order.id, { checkoutRef: 'cs_a', url: 'https://pay.test/a' })
    await topUps.noteCheckout(order.id, { checkoutRef: 'cs_b', url: 'https://pay.test/b' })
    const about = { topUpId: null, checkoutRef: 'cs_a', paymentRef: null }
    expect(await topUps.findFor('stripe', about)).toMatchObject({ id: order.id, checkoutUrl: 'https://pay.test/a' })
    expect(await topUps.findFor('stripe', { ...about, checkoutRef: 'cs_b' })).toBeNull()
    expect(await topUps.findFor('bank', about)).toBeNull()
  })

  it('P3 P5 are credited once by a hundred deliveries of one event, and the event is noted with the credit', async () => {
    const walletId = await newWallet()
    const order = await addOrder(database.pool, { walletId, credit: '25' })
    const event = eventOf(order, 'evt_parallel')
    const outcomes = await Promise.all(Array.from({ length: 100 }, () => apply(order, paidReading(order), event)))
    expect(outcomes.filter(({ effects }) => effects.length > 0)).toHaveLength(1)
    expect(await accounts.walletOf(walletId)).toMatchObject({ balance: '25' })
    expect(
      await rowsOf(`SELECT id, leg, kind FROM ledger_transfers WHERE wallet_id = $1 ORDER BY leg`, walletId),
    ).toEqual([
      { id: order.id, leg: 0, kind: 'top_up' },
      { id: order.id, leg: 1, kind: 'fee' },
    ])
    expect(await rowsOf(`SELECT id, top_up_id FROM payment_events WHERE id = 'evt_parallel'`)).toEqual([
      { id: 'evt_parallel', top_up_id: order.id },
    ])
    expect(await topUps.missingEvents('stripe', [event, eventOf(order, 'evt_other')])).toMatchObject([
      { id: 'evt_other' },
    ])
  })

  it('P3 cannot be credited twice even where a process believes that nothing was credited', async () => {
    const walletId = await newWallet()
    const order = await addOrder(database.pool, { walletId, credit: '25' })
    await apply(order, paidReading(order))
    // The state after a bug or a restored row.
    await database.pool.query('UPDATE top_ups SET paid_minor = 0, effects = 0 WHERE id = $1', [order.id])
    await expect(apply(order, paidReading(order))).rejects.toThrow('duplicate key')
    await database.pool.query('UPDATE top_ups SET effects = 7 WHERE id = $1', [order.id])
    await expect(apply(order, paidReading(order))).rejects.toThrow('duplicate key')
    await database.pool.query('DELETE FROM top_up_effects WHERE top_up_id = $1', [order.id])
    await expect(apply(order, paidReading(order))).rejects.toThrow('ledger_transfers')
    expect(await accounts.walletOf(walletId)).toMatchObject({ balance: '25' })
  })

  it('P5 are neither credited nor is their event noted where any part of the transaction fails', async () => {
    const walletId = await newWallet()
    const order = await addOrder(database.pool, { walletId, credit: '25' })
    const event = eventOf(order, 'evt_failed')
    const failing = topUps.apply(order.id, paidReading(order), {
      event,
      nowMs: Date.now(),
      describe: () => {
        throw new Error('the log cannot be written')
      },
    })
    await expect(failing).rejects.toThrow('the log cannot be written')
    expect(await accounts.walletOf(walletId)).toMatchObject({ balance: '0' })
    expect(await topUps.missingEvents('stripe', [event])).toEqual([event])
    expect(await topUps.find(order.id)).toMatchObject({ state: 'open', effects: 0 })
  })

  it('P9 P11 take a wallet below zero where the credit was spent, a later top-up pays the debt, and the books agree', async () => {
    const caller = await accounts.createClient({ usd: '0' })
    const order = await addOrder(database.pool, { walletId: caller.walletId, credit: '25' })
    await apply(order, paidReading(order))
    await settleGenerations(database.pool, [settleEntry({ ...caller, id: newUuid(Date.now()) }, parseUsd('20'))])
    const refunded = await apply(order, paidReading(order, { refunded: 2_750n }))
    expect(refunded.order).toMatchObject({ state: 'refunded' })
    expect(await accounts.walletOf(caller.walletId)).toMatchObject({ balance: '-20' })
    const next = await addOrder(database.pool, { walletId: caller.walletId, credit: '25' })
    await apply(next, paidReading(next))
    expect(await accounts.walletOf(caller.walletId)).toMatchObject({ balance: '5' })
    expect(await audit()).toEqual([])
  })

  it('P10 move disputed credit aside and back, each with a transaction of its own', async () => {
    const walletId = await newWallet()
    const order = await addOrder(database.pool, { walletId, credit: '25' })
    await apply(order, paidReading(order, { processorFee: 110n }))
    await apply(order, paidReading(order, { processorFee: 1_610n, withdrawn: 2_750n }))
    expect(await accounts.walletOf(walletId)).toMatchObject({ balance: '0' })
    // The same again, and an older reading that arrives late.
    await apply(order, paidReading(order, { processorFee: 1_610n, withdrawn: 2_750n }))
    await apply(order, paidReading(order))
    await apply(order, paidReading(order, { processorFee: 1_610n, withdrawn: 2_750n, reinstated: 2_750n }))
    expect(await accounts.walletOf(walletId)).toMatchObject({ balance: '25' })
    const moves = await rowsOf(
      `SELECT kind || ' ' || debit || '>' || credit || ' ' || amount_nano / 10000000 AS move FROM ledger_transfers
        WHERE wallet_id = $1 ORDER BY id, leg`,
      walletId,
    )
    expect(moves.map(({ move }) => move)).toEqual([
      'top_up cash>wallet 2500',
      'fee cash>fees 250',
      'processor_fee processor>cash 110',
      'dispute wallet>disputed 2500',
      'dispute fees>disputed 250',
      'processor_fee processor>cash 1500',
      'dispute_won disputed>wallet 2500',
      'dispute_won disputed>fees 250',
    ])
    expect(
      await rowsOf('SELECT position, kind, amount_minor FROM top_up_effects WHERE top_up_id = $1 ORDER BY 1', order.id),
    ).toEqual(
      [
        ['payment', '2750'],
        ['processor_fee', '110'],
        ['dispute', '2750'],
        ['processor_fee', '1500'],
        ['dispute_won', '2750'],
      ].map(([kind, amount_minor], position) => ({ position, kind, amount_minor })),
    )
    expect(await audit()).toEqual([])
  })

  it('P8 are claimed by one worker at a time once they are due, and given up only while they are open', async () => {
    const walletId = await newWallet()
    const [due, paid] = [
      await addOrder(database.pool, { walletId, credit: '5' }),
      await addOrder(database.pool, { walletId, credit: '5' }),
    ]
    const claim = async () => {
      const [one, other] = await Promise.all([
        topUps.claimDue(['stripe'], { atMost: 50, leaseMs: 60_000 }),
        topUps.claimDue(['stripe'], { atMost: 50, leaseMs: 60_000 }),
      ])
      const ours = new Set([due.id, paid.id])
      return [...one, ...other].map(({ id }) => id).filter((id) => ours.has(id))
    }
    expect(await claim()).toEqual([])
    await apply(paid, paidReading(paid))
    await database.pool.query(`UPDATE top_ups SET next_check_at = now() - interval '1 second' WHERE state = 'open'`)
    expect(await claim()).toEqual([due.id])
    expect(await claim()).toEqual([])
    for (const { id } of [due, paid]) await topUps.scheduleCheck(id, { inMs: 0 })
    expect(await claim()).toEqual([due.id])
    for (const { id } of [due, paid]) await topUps.scheduleCheck(id, 'expire')
    expect((await topUps.find(due.id))?.state).toBe('expired')
    expect((await topUps.find(paid.id))?.state).toBe('paid')
    await database.pool.query(`UPDATE top_ups SET next_check_at = now() WHERE id = $1 AND next_check_at IS NOT NULL`, [
      due.id,
    ])
    expect(await claim()).toEqual([])
  })

  const order = (payer: { userId: string; walletId: string }, credit: string, limit: OrderLimit, key?: string) => {
    const request = key === undefined ? null : { scope: payer.userId, key, fingerprint: credit }
    const terms = { limit, request, entry: () => entry }
    return topUps.add(newOrder({ walletId: payer.walletId, payerId: payer.userId, credit }), terms)
  }

  describe('P16 of a payer', () => {
    const dayMs = 86_400_000
    const limitsOf = (changes: Partial<OrderLimit> = {}): OrderLimit => ({
      newSinceMs: Date.now() - 7 * dayMs,
      sinceMs: Date.now() - dayMs,
      creditMax: parseUsd('50'),
      openMax: 20,
      ...changes,
    })
    it('whose account is new are limited by the sum of a day, also where they come at once', async () => {
      const payer = await accounts.createClient({ usd: '0' })
      const outcomes = await Promise.all(Array.from({ length: 8 }, () => order(payer, '20', limitsOf())))
      const added = outcomes.filter(isOrder)
      expect(added).toHaveLength(2)
      for (const { id } of added) await topUps.scheduleCheck(id, 'expire')
      expect(await order(payer, '50', limitsOf())).toMatchObject({ state: 'open' })
      expect(await order(payer, '0.01', limitsOf())).toBe('over_limit')
      expect(await order(payer, '0.01', limitsOf({ sinceMs: Date.now() + 1_000 }))).toMatchObject({ state: 'open' })
      expect(await order(payer, '5000', limitsOf({ newSinceMs: Date.now() + 1_000 }))).toMatchObject({ state: 'open' })
    })

    it('are limited in number while they wait to be paid', async () => {
      const payer = await accounts.createClient({ usd: '0' })
      const limit = limitsOf({ openMax: 2 })
      const first = await order(payer, '5', limit)
      expect(isOrder(first) && isOrder(await order(payer, '5', limit))).toBe(true)
      expect(await order(payer, '5', limit)).toBe('over_limit')
      if (isOrder(first)) await apply(first, paidReading(first))
      expect(isOrder(await order(payer, '5', limit))).toBe(true)
    })

    it('are made once for each key, and a key whose order was refused may be sent again', async () => {
      const payer = await accounts.createClient({ usd: '0' })
      const outcomes = await Promise.all(Array.from({ length: 6 }, () => order(payer, '5', limitsOf(), 'a')))
      expect(new Set(outcomes.map((outcome) => (isOrder(outcome) ? outcome.id : outcome))).size).toBe(1)
      expect(await order(payer, '6', limitsOf(), 'a')).toBe('key_reused')
      expect(await order(payer, '5', limitsOf({ creditMax: parseUsd('1') }), 'b')).toBe('over_limit')
      expect(await order(payer, '5', limitsOf(), 'b')).toMatchObject({ state: 'open' })
      expect(await rowsOf('SELECT count(*)::integer AS orders FROM top_ups WHERE payer_id = $1', payer.userId)).toEqual(
        [{ orders: 2 }],
      )
    })
  })

  it('are listed the newest first, by wallet, by state and by what was not as ordered', async () => {
    const walletId = await newWallet()
    const orders: TopUp[] = []
    for (const credit of ['5', '6', '7']) orders.push(await addOrder(database.pool, { walletId, credit }))
    const [first, second, third] = orders
    if (first === undefined || second === undefined || third === undefined) throw new Error('three orders')
    await apply(second, { ...paidReading(second), currency: 'eur' })
    const list = async (changes: object) => {
      const query = { walletId, state: null, mismatched: false, transfers: false, before: null, limit: 10, ...changes }
      return (await topUps.list(query)).map(({ id }) => id)
    }
    expect(await list({})).toEqual([third.id, second.id, first.id])
    expect(await list({ before: third.id, limit: 1 })).toEqual([second.id])
    expect(await list({ state: 'open' })).toEqual([third.id, first.id])
    expect(await list({ mismatched: true })).toEqual([second.id])
    expect(await topUps.find(second.id)).toMatchObject({ state: 'mismatch', mismatch: 'currency', paidAtMs: null })
  })

  it('forget events and keys that no one sends again, and keep those of the last 90 days', async () => {
    const order = await addOrder(database.pool, { walletId: await newWallet(), credit: '5' })
    const noted = async (id: string) => (await topUps.missingEvents('stripe', [eventOf(order, id)])).length === 0
    for (const id of ['evt_old', 'evt_older', 'evt_new']) await topUps.noteEvent('stripe', eventOf(order, id))
    const payer = await accounts.createClient({ usd: '0' })
    const request = (key: string) => ({ scope: payer.userId, key, fingerprint: 'x' })
    const terms = (key: string) => ({ limit: null, request: request(key), entry: () => entry })
    const wish = { walletId: payer.walletId, payerId: payer.userId, credit: '5' }
    for (const key of ['old', 'new']) await topUps.add(newOrder(wish), terms(key))
    await database.pool.query(`UPDATE payment_events SET received_at = now() - interval '91 days' WHERE id LIKE 'evt_old%';
      UPDATE payment_events SET received_at = now() - interval '89 days' WHERE id = 'evt_new';
      UPDATE idempotency_keys SET created_at = now() - interval '91 days' WHERE key = 'old';
      UPDATE idempotency_keys SET created_at = now() - interval '89 days' WHERE key = 'new'`)
    expect([await purgeEvents(database.pool, 1), await purgeEvents(database.pool, 500)]).toEqual([1, 1])
    expect(await purgeIdempotencyKeys(database.pool, 500)).toBe(1)
    expect(await Promise.all(['evt_old', 'evt_older', 'evt_new'].map(noted))).toEqual([false, false, true])
    const { rows } = await database.pool.query(`SELECT key FROM idempotency_keys WHERE scope = $1`, [payer.userId])
    expect(rows).toEqual([{ key: 'new' }])
  })
})
