import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { parseUsd } from '#domain/money/nano-usd.ts'
import type { JsonObject } from '#lib/json.ts'
import { newUuid } from '#lib/uuid.ts'
import { placeHolds } from '#store/postgres/money/holds.sql.ts'
import { settleGenerations } from '#store/postgres/money/settle-generations.sql.ts'
import { settleEntry } from '#test/money/settles.ts'
import { type Payer, type PaymentWorld, startPaymentWorld } from './payment-world.ts'

describe('money that goes back', () => {
  let world: PaymentWorld
  beforeAll(async () => {
    world = await startPaymentWorld({ gateways: 2 })
  })
  afterAll(() => world.close())
  // After every test the ledger agrees with itself and with the provider's ledger.
  afterEach(async () => {
    await world.deliver()
    await world.keepBooks()
    expect(await world.audit()).toEqual([])
  })

  const refund = async (id: string, body: JsonObject, key?: string) => {
    const operator = await world.addOperatorKey()
    const headers = key === undefined ? {} : { 'idempotency-key': key }
    return world.as(operator).send('POST', `/api/admin/top-ups/${id}/refund`, body, { headers })
  }
  const spend = async ({ userId, walletId }: Payer, usd: string) => {
    const who = { id: newUuid(Date.now()), userId, walletId, keyId: newUuid(Date.now()) }
    await settleGenerations(world.pool, [settleEntry(who, parseUsd(usd))])
  }

  /** Holds an amount like a running request. */
  const holdOf = async ({ walletId }: Payer, usd: string) => {
    const options = { leaseMs: 600_000, isRetry: false }
    const id = newUuid(Date.now())
    await placeHolds(world.pool, [{ id, walletId, keyId: id, amount: parseUsd(usd), windows: [] }], options)
  }

  describe('P9 a refund by an operator', () => {
    it('takes credit and fee in proportion, and is made once for each key', async () => {
      const { payer, id } = await world.paidOrder(100)
      const [first, second] = [await refund(id, { amount: 33.33 }, 'k1'), await refund(id, { amount: 33.33 }, 'k1')]
      expect([first.status, second.status]).toEqual([200, 200])
      expect(second.json).toMatchObject({ data: { state: 'partly_refunded', refunded: 33.33 } })
      expect(await world.balanceOf(payer)).toBe('69.7')
      const rest = await refund(id, {})
      expect(rest.json).toMatchObject({ data: { state: 'refunded', refunded: 110 } })
      expect(await world.balanceOf(payer)).toBe('0')
      expect((await refund(id, {})).status).toBe(409)
      expect((await world.transfersOf(payer.walletId)).filter((move) => move.startsWith('refund'))).toEqual([
        'refund wallet>cash 30.3',
        'refund fees>cash 3.03',
        'refund wallet>cash 69.7',
        'refund fees>cash 6.97',
      ])
    })

    it('is refused above what the wallet has, unless it is forced', async () => {
      const { payer, id } = await world.paidOrder(25)
      await spend(payer, '20')
      expect((await refund(id, {})).json).toMatchObject({ error: { code: 409 } })
      expect((await refund(id, { amount: 5.5 })).status).toBe(200)
      expect(await world.balanceOf(payer)).toBe('0')
      expect((await refund(id, { force: true })).status).toBe(200)
      expect(await world.balanceOf(payer)).toBe('-20')
    })

    // The payment is 110 USD, with 100 for the wallet.
    it.each<
      [string, { refunded?: number; disputed?: number; won?: true; held?: string; asked: number | null }, number]
    >([
      ['P05: all of a disputed payment', { disputed: 110, asked: null }, 409],
      ['P05: a cent of a disputed payment', { disputed: 110, asked: 0.01 }, 409],
      ['P05: what is disputed, of one that is disputed in part', { disputed: 50, asked: 60.01 }, 409],
      ['P05: what is not disputed', { disputed: 50, asked: 60 }, 200],
      ['P05: what is neither disputed nor refunded', { refunded: 10, disputed: 50, asked: 50 }, 200],
      ['P05: more than is neither disputed nor refunded', { refunded: 10, disputed: 50, asked: 50.01 }, 409],
      ['P05: all of a payment whose dispute is won', { disputed: 110, won: true, asked: null }, 200],
      ['P06: all that the wallet has, while requests hold some', { held: '0.01', asked: null }, 409],
      ['P06: what requests do not hold', { held: '40', asked: 66 }, 200],
      ['P06: a cent more than requests do not hold', { held: '40', asked: 66.02 }, 409],
    ])('gives back %s only where it is there', async (_what, { refunded, disputed, won, held, asked }, status) => {
      const { payer, id, paymentId } = await world.paidOrder(100)
      if (refunded !== undefined) expect((await refund(id, { amount: refunded })).status).toBe(200)
      if (disputed !== undefined) {
        const dispute = world.provider.state.dispute(paymentId, { amount: disputed * 100 })
        if (won === true) world.provider.state.win(dispute.id)
      }
      await world.deliver()
      if (held !== undefined) await holdOf(payer, held)
      const before = await world.balanceOf(payer)
      const reply = await refund(id, asked === null ? {} : { amount: asked })
      expect(reply.status, reply.text).toBe(status)
      if (status === 409) expect(await world.balanceOf(payer)).toBe(before)
    })

    it('is refused for amounts that are none, and for orders that are none', async () => {
      const { id } = await world.paidOrder(25)
      for (const amount of [0, -1, 0.001, 'x', null])
        expect((await refund(id, { amount })).status, String(amount)).toBe(400)
      expect((await refund(id, { amount: 27.51 })).status).toBe(409)
      expect((await refund(newUuid(Date.now()), {})).status).toBe(404)
      expect((await refund('x', {})).status).toBe(404)
    })
  })

  it('P10 moves a disputed payment aside, refuses requests meanwhile, and gives it back when it is won', async () => {
    const { payer, paymentId } = await world.paidOrder(25)
    await spend(payer, '10')
    const dispute = world.provider.state.dispute(paymentId)
    expect(await world.deliver()).toEqual([200, 200])
    expect(await world.balanceOf(payer)).toBe('-10')
    // Never called: the request is rejected earlier.
    await world.addProvider({ vendor: 'openai', url: 'http://127.0.0.1:9', pattern: 'openai/*' })
    const { key } = await world.addKey(payer.userId)
    const body = { model: 'openai/gpt-5.2', messages: [{ role: 'user', content: 'Hi' }] }
    const refused = await world.as({ key }).send('POST', '/v1/chat/completions', body)
    expect([refused.status, refused.json]).toMatchObject([402, { error: { code: 'insufficient_credits' } }])
    expect(refused.text).toContain(' Top up at ')
    expect(refused.text).toContain('/console/credits')
    const credits = await world.as({ key }).send('GET', '/v1/credits')
    expect(credits.json).toMatchObject({
      data: { total_credits: 0, total_usage: 10, top_up_url: expect.stringMatching('/console/credits$') },
    })
    world.provider.state.win(dispute.id)
    expect(await world.deliver()).toEqual([200, 200])
    expect(await world.balanceOf(payer)).toBe('15')
  })

  it('leads a key of an organization to the credit page of the organization', async () => {
    const { id } = await world.createOrganization({ usd: '0' })
    const { userId, memberId } = await world.addMember(id, { role: 'org_admin' })
    const { key } = await world.addOrganizationKey(id, { memberId })
    const session = world.as({ cookie: await world.signIn(userId) })
    const urls = await Promise.all(
      [world.as(key).get('/v1/credits'), session.get(`/v1/credits?organization=${id}`), session.get('/v1/credits')].map(
        async (answer) => Reflect.get(Object((await answer).json['data']), 'top_up_url'),
      ),
    )
    const page = String(urls[2])
    expect(page).toMatch(/\/console\/credits$/)
    expect(urls).toEqual([`${page}?organization=${id}`, `${page}?organization=${id}`, page])
    const body = { model: 'test/priced', messages: [{ role: 'user', content: 'Hi' }] }
    const refused = await world.as(key).post('/v1/chat/completions', body)
    expect(refused.status).toBe(402)
    expect(refused.text).toContain(` Top up at ${page}?organization=${id}, `)
  })

  it('P10 takes no more than was credited where a dispute follows a refund, and loses it once', async () => {
    const { payer, id, paymentId } = await world.paidOrder(25)
    world.provider.state.refund(paymentId, 2_750)
    const dispute = world.provider.state.dispute(paymentId)
    world.provider.state.lose(dispute.id)
    expect(await world.deliver()).toEqual([200, 200, 200, 200])
    expect(await world.balanceOf(payer)).toBe('0')
    expect(await world.read(payer, id)).toMatchObject({ state: 'lost', disputed: 27.5, refunded: 27.5 })
    expect(await world.transfersOf(payer.walletId)).toEqual(
      expect.arrayContaining(['dispute losses>disputed 27.5', 'dispute_lost disputed>cash 27.5']),
    )
  })

  it('P11 keeps what is owed as debt, which the next top-up pays first and an operator may give up', async () => {
    const { payer, id } = await world.paidOrder(25)
    await spend(payer, '25')
    const operator = await world.addOperatorKey()
    const admin = (path: string, body: JsonObject, headers: Record<string, string> = {}) =>
      world.as(operator).send('POST', `/api/admin${path}`, body, { headers })
    expect((await admin(`/top-ups/${id}/refund`, { force: true })).status).toBe(200)
    expect(await world.balanceOf(payer)).toBe('-25')
    const next = await world.order(payer, 20)
    world.pay(next['id'])
    expect(await world.deliver()).toEqual([200, 200])
    expect(await world.balanceOf(payer)).toBe('-5')
    const writeOff = (amountUsd: number, key?: string) =>
      admin(
        `/wallets/${payer.walletId}/write-off`,
        { amountUsd, note: 'gone' },
        key === undefined ? {} : { 'idempotency-key': key },
      )
    expect((await writeOff(5.01)).status).toBe(409)
    const [first, second] = [await writeOff(3, 'w1'), await writeOff(3, 'w1')]
    expect([first.json['transactionId'], first.json['balanceUsd']]).toEqual([second.json['transactionId'], -2])
    expect((await writeOff(2, 'w1')).status).toBe(409)
    expect((await writeOff(2)).status).toBe(200)
    expect(await world.balanceOf(payer)).toBe('0')
    expect((await writeOff(0.01)).status).toBe(409)
    const wallet = await world.as(payer.session).send('GET', `/api/wallets/${payer.walletId}`)
    expect(wallet.json).toMatchObject({ data: { paid: 45, refunded: -25, written_off: 5, charged: 25, balance: 0 } })
    const { rows } = await world.pool.query(`SELECT action FROM audit_entries WHERE target_id = $1 ORDER BY sequence`, [
      payer.walletId,
    ])
    expect(rows.map(({ action }) => action)).toEqual([
      'top_up.order',
      'top_up.paid',
      'top_up.refund',
      'top_up.refund',
      'top_up.order',
      'top_up.paid',
      'wallet.write_off',
      'wallet.write_off',
    ])
  })

  it('P12 explains a wallet line by line, and shows its owner nothing of what the processor took', async () => {
    const { payer, paymentId } = await world.paidOrder(25)
    world.provider.state.refund(paymentId, 550)
    const dispute = world.provider.state.dispute(paymentId, { amount: 1_100 })
    world.provider.state.win(dispute.id)
    await world.deliver()
    const list = await world.as(payer.session).send('GET', `/api/wallets/${payer.walletId}/transactions?limit=100`)
    const lines = Array.isArray(list.json.data) ? list.json.data : []
    const seen = lines.map((line) => (typeof line === 'object' && line !== null && 'kind' in line ? line.kind : null))
    expect(new Set(seen)).toEqual(new Set(['top_up', 'fee', 'refund', 'dispute', 'dispute_won']))
    const statement = await world.as(payer.session).send('GET', `/api/wallets/${payer.walletId}/statement`)
    expect(statement.json).toMatchObject({
      data: {
        opening_balance: 0,
        closing_balance: 20,
        lines: expect.arrayContaining([
          { kind: 'top_up', amount: 25, moved: 25 },
          { kind: 'refund', amount: -5, moved: 5.5 },
          { kind: 'dispute', amount: -10, moved: 11 },
          { kind: 'dispute_won', amount: 10, moved: 11 },
          { kind: 'fee', amount: 0, moved: 2.5 },
        ]),
      },
    })
    expect(JSON.stringify([list.json, statement.json])).not.toContain('processor')
  })

  it('P17 names each cent by which the books of the provider and ours differ, both ways', async () => {
    const { payer, id } = await world.paidOrder(25)
    await world.keepBooks()
    const { rows } = await world.pool.query('SELECT id FROM payment_balances WHERE top_up_id = $1', [id])
    const change = (text: string) => world.pool.query(text, [rows[0]?.id])
    await change('UPDATE payment_balances SET amount_minor = amount_minor + 1 WHERE id = $1')
    expect(await world.audit()).toMatchObject([
      { walletId: payer.walletId, subject: `${id} payment`, expected: '2750 to 2750', found: '2751' },
    ])
    await change('UPDATE payment_balances SET amount_minor = amount_minor - 2 WHERE id = $1')
    expect(await world.audit()).toMatchObject([{ expected: '2750 to 2750', found: '2749' }])
    await change('UPDATE payment_balances SET amount_minor = amount_minor + 1, fee_cents = fee_cents + 1 WHERE id = $1')
    expect(await world.audit()).toMatchObject([
      { subject: `${id} processor_fee`, expected: '110 to 110', found: '111' },
    ])
    await change('UPDATE payment_balances SET fee_cents = fee_cents - 1, top_up_id = NULL WHERE id = $1')
    const unexplained = await world.audit()
    expect(unexplained.map(({ what }) => what).toSorted()).toEqual([
      'a payment must belong to an order',
      "the payment provider's records must match ours",
      "the payment provider's records must match ours",
    ])
    await world.pool.query('UPDATE payment_balances SET top_up_id = $1 WHERE id = $2', [id, rows[0]?.id])
    await world.pool.query('UPDATE top_ups SET paid_minor = paid_minor + 1 WHERE id = $1', [id])
    expect(await world.audit()).toMatchObject([
      { what: 'an order must equal the sum of its effects', found: '2751' },
      { what: 'a paid order must have one receipt for the booked amount', subject: id },
    ])
    await world.pool.query('UPDATE top_ups SET paid_minor = paid_minor - 1 WHERE id = $1', [id])
    await world.pool.query('UPDATE ledger_transfers SET amount_nano = amount_nano + 1 WHERE id = $1 AND leg = 1', [id])
    expect(await world.audit()).toMatchObject([
      { what: 'a payment effect must match its ledger transfers', subject: id },
    ])
    await world.pool.query('UPDATE ledger_transfers SET amount_nano = amount_nano - 1 WHERE id = $1 AND leg = 1', [id])
  })

  it('books a bank transfer once for its reference, and refunds it without a provider', async () => {
    const payer = await world.payer()
    const operator = await world.addOperatorKey()
    const book = (body: JsonObject) =>
      world.as(operator).send('POST', `/api/admin/wallets/${payer.walletId}/transfers`, body)
    const transfer = { amountUsd: 100, reference: 'INV-2026-7', channel: 'local' }
    const replies = await Promise.all(Array.from({ length: 5 }, () => book(transfer)))
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
    expect(replies[0]?.json).toMatchObject({
      data: { state: 'paid', provider: 'bank', credited: 100, fee: 10, tax: 5, total: 115 },
    })
    expect(await world.balanceOf(payer)).toBe('100')
    expect((await book({ ...transfer, amountUsd: 50 })).status).toBe(409)
    expect((await book({ ...transfer, reference: '' })).status).toBe(400)
    expect((await book({ ...transfer, channel: 'x' })).status).toBe(400)
    const id = String(Reflect.get(Object(replies[0]?.json.data), 'id'))
    const refund = () =>
      world
        .as(operator)
        .send('POST', `/api/admin/top-ups/${id}/refund`, { amount: 23 }, { headers: { 'idempotency-key': 'b' } })
    expect([(await refund()).status, (await refund()).status]).toEqual([200, 200])
    expect(await world.balanceOf(payer)).toBe('80')
  })

  it('lists orders for operators by wallet, state and mismatch', async () => {
    const { payer, id } = await world.paidOrder()
    const operator = await world.addOperatorKey()
    const list = async (query: string) => {
      const { status, json } = await world.as(operator).send('GET', `/api/admin/top-ups?${query}`)
      return status === 200 && Array.isArray(json.data)
        ? json.data.map((order) => Reflect.get(Object(order), 'id'))
        : status
    }
    expect(await list(`wallet=${payer.walletId}`)).toEqual([id])
    expect(await list(`wallet=${payer.userId}&state=open`)).toEqual([])
    expect(await list(`wallet=${payer.walletId}&mismatched=true`)).toEqual([])
    expect(await list('state=x')).toBe(400)
    expect(await list('wallet=nobody@example.com')).toBe(404)
    expect(await list('limit=1')).toHaveLength(1)
    const wallet = `/api/admin/wallets/${payer.walletId}/transfers`
    const booked = await world.as(operator).post(wallet, { amountUsd: 12, reference: 'INV-12', channel: 'usd' })
    expect(booked.json['data']).toMatchObject({ provider: 'bank', reference: 'INV-12' })
    const transfer = Reflect.get(Object(booked.json['data']), 'id')
    expect(await list(`wallet=${payer.walletId}&transfers=true`)).toEqual([transfer])
    expect(await list(`wallet=${payer.walletId}`)).toEqual([transfer, id])
  })
})
