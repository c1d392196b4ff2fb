import { hash } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { dataOf, type Payer, type PaymentWorld, startPaymentWorld } from './payment-world.ts'

const path = ({ walletId }: Payer, rest = '') => `/api/wallets/${walletId}/invoices${rest}`
const hostile = `<script>alert(1)</script> "&' Ltd`

describe('receipts and credit notes over several gateways', () => {
  let world: PaymentWorld
  beforeAll(async () => {
    world = await startPaymentWorld({
      gateways: 3,
      environment: {
        WEIR_PAYMENTS_SELLER_NAME: 'Weir Ltd',
        WEIR_PAYMENTS_SELLER_ADDRESS: 'Street 1',
        WEIR_PAYMENTS_TAX_RATES: 'DE=19,DE:eu_vat=0',
      },
    })
  })
  afterAll(() => world.close())

  const list = async (payer: Payer, query = '') => (await world.as(payer.session).send('GET', path(payer, query))).json
  const begin = (from: string) => world.pool.query(`UPDATE billing_start SET started_at = now() + $1::interval`, [from])
  const refund = async (id: string) => {
    const operator = await world.addOperatorKey()
    return world.as(operator).send('POST', `/api/admin/top-ups/${id}/refund`, { amount: 5 })
  }
  const kinds = async (payer: Payer) => {
    const { rows } = await world.pool.query<{ kind: string; corrects: string | null }>(
      `SELECT kind, snapshot::json ->> 'corrects' AS corrects FROM billing_documents WHERE wallet_id = $1 ORDER BY serial`,
      [payer.walletId],
    )
    return rows
  }
  const numbers = async () => {
    const { rows } = await world.pool.query<{ serial: number }>('SELECT serial FROM billing_documents ORDER BY serial')
    return rows.map(({ serial }) => serial)
  }

  it('[P15] number fifty payments at once over three gateways without a gap, though transactions die', async () => {
    const payers = await Promise.all(Array.from({ length: 5 }, () => world.payer()))
    const orders = await Promise.all(payers.flatMap((payer) => Array.from({ length: 10 }, () => world.order(payer, 5))))
    for (const { id } of orders) world.pay(id)
    // Another transaction has taken the next number, and holds it while the payments arrive.
    const client = await world.pool.connect()
    client.on('error', () => {})
    await client.query('BEGIN')
    await client.query(`INSERT INTO billing_numbers VALUES ('TEST-WEIR', extract(year FROM now()), 1)
      ON CONFLICT (series, year) DO UPDATE SET last = billing_numbers.last + 1`)
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
    const events = world.provider.state.events.slice(-50)
    const sent = Promise.all(events.map((event) => world.provider.webhooks.send(event)))
    await world.pool.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid])
    client.release(true)
    expect((await sent).map(({ status }) => status)).toEqual(events.map(() => 200))
    await world.deliver()
    const taken = await numbers()
    expect(taken).toEqual(Array.from({ length: taken.length }, (_, index) => index + 1))
    expect(taken.length).toBeGreaterThanOrEqual(50)
    expect(await world.audit()).toEqual([])
  })

  it('[P15] a payment that fails at its very end leaves no number behind', async () => {
    const payer = await world.payer()
    const { id } = await world.order(payer)
    const before = await numbers()
    await world.pool.query('ALTER TABLE audit_entries RENAME TO audit_entries_away')
    world.pay(id)
    // The table is restored before any assertion, or every later test would fail with it.
    const refused = await world
      .deliver()
      .finally(() => world.pool.query('ALTER TABLE audit_entries_away RENAME TO audit_entries'))
    expect(refused).toEqual([500])
    expect(await numbers()).toEqual(before)
    expect(await world.deliver()).toEqual([200])
    expect(await numbers()).toEqual([...before, before.length + 1])
  })

  it('[P15] shows the receipt of a payment as it was issued, whatever changes later', async () => {
    const payer = await world.payer()
    const profilePath = `/api/wallets/${payer.walletId}/billing-profile`
    const profile = {
      name: hostile,
      address: 'Line 1\nLine 2',
      country: 'DE',
      tax_id_kind: null,
      tax_id: null,
      email: null,
    }
    const put = (body: object) => world.as(payer.session).send('PUT', profilePath, body)
    expect((await put({ ...profile, tax_id_kind: undefined })).status).toBe(200)
    expect((await world.as(payer.session).send('GET', profilePath)).json).toEqual({ data: profile })
    const quote = dataOf(await world.as(payer.session).send('GET', '/api/payments/quote?amount=12.34'), 200)
    const order = await world.order(payer, 12.34)
    world.pay(order['id'])
    await world.deliver()
    expect((await put({ name: 'Another' })).status).toBe(200)

    const { data } = await list(payer)
    expect(data).toMatchObject([{ kind: 'receipt', top_up_id: order['id'], currency: 'usd', total_usd: 15.93 }])
    // The receipt equals the payer's quote to the cent.
    expect(quote['total']).toBe(15.93)
    expect(quote['lines']).toMatchObject([
      { amount: 12.34 },
      { amount: 1.24, percent: 10 },
      { amount: 2.35, percent: 19 },
    ])
    const number = String(Array.isArray(data) ? Object(data[0]).number : '')
    expect(number).toMatch(/^TEST-WEIR-\d{4}-\d{6}$/)
    const { snapshot, sha256 } = dataOf(await world.as(payer.session).send('GET', path(payer, `/${number}`)), 200)
    expect(hash('sha256', String(snapshot))).toBe(sha256)
    expect(JSON.parse(String(snapshot))).toMatchObject({
      number,
      seller: { name: 'Weir Ltd', address: 'Street 1' },
      buyer: { name: hostile, address: 'Line 1\nLine 2', country: 'DE' },
      lines: [
        { item: 'credit', amount: '12.34', percent: null },
        { item: 'fee', amount: '1.24', percent: '10' },
        { item: 'tax', amount: '2.35', percent: '19' },
      ],
      total: '15.93',
    })

    const page = await world.as(payer.session).send('GET', path(payer, `/${number}/html`))
    expect(Object.fromEntries(page.headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': expect.stringMatching(
        /^default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'/,
      ),
      'x-content-type-options': 'nosniff',
    })
    expect(page.text).toContain('&lt;script&gt;alert(1)&lt;/script&gt; &quot;&amp;&#39; Ltd')
    expect(page.text).not.toContain('<script')
    const pdf = await world.as(payer.session).send('GET', path(payer, `/${number}/pdf`))
    expect(Object.fromEntries(pdf.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="${number}.pdf"`,
    })
    expect(pdf.text).toContain(Buffer.from(number).toString('hex'))
    expect(pdf.text).toContain(Buffer.from('15.93').toString('hex'))
  })

  it('[P15] a tax id of a kind with a rate of its own decides the tax', async () => {
    const payer = await world.payer()
    const body = { name: 'Company', country: 'DE', tax_id_kind: 'eu_vat', tax_id: 'DE123456789' }
    await world.as(payer.session).send('PUT', `/api/wallets/${payer.walletId}/billing-profile`, body)
    expect(await world.order(payer, 25)).toMatchObject({ tax: 0, total: 27.5 })
  })

  it('[P15] credit notes are what went back, and a page of documents follows another', async () => {
    const { payer, id, paymentId } = await world.paidOrder(100)
    const operator = await world.addOperatorKey()
    for (const amount of [33.33, 0.01]) {
      const refunded = await world.as(operator).send('POST', `/api/admin/top-ups/${id}/refund`, { amount })
      expect(refunded.status).toBe(200)
    }
    expect(paymentId).not.toBe('')
    const all = await list(payer)
    expect(all).toMatchObject({
      data: [
        { kind: 'credit_note', total: -0.01 },
        { kind: 'credit_note', total: -33.33 },
        { kind: 'receipt', total: 110 },
      ],
      next_cursor: null,
    })
    const first = await list(payer, '?limit=2')
    expect(first['data']).toHaveLength(2)
    expect(await list(payer, `?limit=2&before=${String(first['next_cursor'])}`)).toMatchObject({
      data: [{ kind: 'receipt' }],
      next_cursor: null,
    })
    expect(await list(payer, '?kind=receipt')).toMatchObject({ data: [{ kind: 'receipt' }] })
    const { rows } = await world.pool.query<{ snapshot: string }>(
      `SELECT snapshot FROM billing_documents WHERE top_up_id = $1 ORDER BY serial`,
      [id],
    )
    const [receipt, note] = rows.map(({ snapshot }) => JSON.parse(snapshot))
    expect(note.corrects).toBe(receipt.number)
    expect(await world.audit()).toEqual([])
  })

  it('[P15] are for their owner and for operators alone', async () => {
    const { payer } = await world.paidOrder(25)
    const stranger = await world.payer()
    const { data } = await list(payer)
    const number = String(Array.isArray(data) ? Object(data[0]).number : '')
    for (const rest of ['', `/${number}`, `/${number}/html`, `/${number}/pdf`]) {
      expect((await world.as(stranger.session).send('GET', path(payer, rest))).status, rest).toBe(404)
    }
    for (const form of ['', '/html', '/pdf'])
      expect((await world.as(stranger.session).send('GET', path(stranger, `/${number}${form}`))).status, form).toBe(404)
    const operator = await world.addOperatorKey()
    const listed = await world.as(operator).send('GET', `/api/admin/invoices?wallet=${payer.walletId}&kind=receipt`)
    expect(listed.json).toMatchObject({ data: [{ number, wallet_id: payer.walletId }], next_cursor: null })
    expect((await world.as(operator).send('GET', '/api/admin/invoices?kind=bill')).status).toBe(400)
  })

  it('[P15] go along with a person who takes their data, and stay when the person is deleted', async () => {
    const { payer } = await world.paidOrder(25)
    await world.as(payer.session).send('PUT', `/api/wallets/${payer.walletId}/billing-profile`, { name: 'Buyer' })
    const { text } = await world.as(payer.session).send('GET', '/api/account/export')
    const records = text
      .trim()
      .split('\n')
      .map((line): Record<string, unknown> => JSON.parse(line))
    expect(records.filter(({ kind }) => kind === 'billing_profile')).toMatchObject([{ name: 'Buyer' }])
    expect(records.filter(({ kind }) => kind === 'document')).toMatchObject([
      { document: 'receipt', total_usd: 27.5, snapshot: expect.stringContaining('"total":"27.50"') },
    ])
    const { rows: people } = await world.pool.query<{ email: string }>('SELECT email FROM users WHERE id = $1', [
      payer.userId,
    ])
    const deleted = await world.as(payer.session).send('POST', '/api/account/delete', { email: people[0]?.email ?? '' })
    expect(deleted.status).toBe(204)
    const left = await world.pool.query<{ profiles: number; documents: number }>(
      `SELECT (SELECT count(*)::integer FROM billing_profiles WHERE wallet_id = $1) AS profiles,
        (SELECT count(*)::integer FROM billing_documents WHERE wallet_id = $1) AS documents`,
      [payer.walletId],
    )
    expect(left.rows).toEqual([{ profiles: 0, documents: 1 }])
  })

  it.each([
    [{}, 'name'],
    [{ name: '' }, 'name'],
    [{ name: 'a\nb' }, 'name'],
    [{ name: 'a'.repeat(201) }, 'name'],
    [{ name: 'A', country: 'Germany' }, 'country'],
    [{ name: 'A', country: 'de' }, 'country'],
    [{ name: 'A', tax_id: '1' }, 'tax_id_kind'],
    [{ name: 'A', tax_id: '1', tax_id_kind: 'EU' }, 'tax_id_kind'],
    [{ name: 'A', email: 'a@b, c@d' }, 'email'],
    [{ name: 'A', address: '1\n2\n3\n4\n5\n6\n7' }, 'address'],
  ])('[P15] a profile such as %j is refused for its %s', async (body, field) => {
    const payer = await world.payer()
    const refused = await world.as(payer.session).send('PUT', `/api/wallets/${payer.walletId}/billing-profile`, body)
    expect(refused.status).toBe(400)
    expect(refused.text).toContain(field)
  })

  describe('[P15] where payments were booked before there were documents', () => {
    beforeEach(() => begin('1 hour'))
    afterEach(async () => {
      await begin('-1 hour')
      expect(await world.audit()).toEqual([])
    })

    it('they have none, and what goes back of them later has a credit note that names no receipt', async () => {
      const { payer, id } = await world.paidOrder(25)
      expect(await kinds(payer)).toEqual([])
      expect(await world.audit()).toEqual([])
      await world.pool.query(`UPDATE top_up_effects SET booked_at = now() - interval '2 hours' WHERE top_up_id = $1`, [
        id,
      ])
      await begin('-1 hour')
      expect((await refund(id)).status).toBe(200)
      expect(await kinds(payer)).toEqual([{ kind: 'credit_note', corrects: null }])
    })

    it('one that a gateway of the version before booked gets its receipt with the next news of the order', async () => {
      const { payer, id } = await world.paidOrder(25)
      await begin('-1 hour')
      expect((await world.audit()).map(({ what }) => what)).toEqual([
        'a paid order must have one receipt for the booked amount',
      ])
      expect((await refund(id)).status).toBe(200)
      expect(await kinds(payer)).toMatchObject([
        { kind: 'receipt' },
        { kind: 'credit_note', corrects: expect.any(String) },
      ])
    })
  })

  it('[P15] cannot be changed or deleted, and the audit names what was changed all the same', async () => {
    const { payer } = await world.paidOrder(25)
    const where = `WHERE wallet_id = '${payer.walletId}'`
    for (const text of [
      `UPDATE billing_documents SET total_nano = 1 ${where}`,
      `DELETE FROM billing_documents ${where}`,
      'TRUNCATE billing_documents CASCADE',
    ])
      await expect(world.pool.query(text), text).rejects.toThrow('never changes')
    await world.pool.query('ALTER TABLE billing_documents DISABLE TRIGGER ALL')
    const forge = async (text: string): Promise<string[]> => {
      await world.pool.query('CREATE TABLE kept AS SELECT * FROM billing_documents')
      await world.pool.query(text)
      const found = (await world.audit()).map(({ what }) => what)
      await world.pool.query('DELETE FROM billing_documents')
      await world.pool.query('INSERT INTO billing_documents SELECT * FROM kept')
      await world.pool.query('DROP TABLE kept')
      return found
    }
    await world.pool.query('ALTER TABLE billing_documents DROP CONSTRAINT billing_documents_hash')
    expect(await forge(`UPDATE billing_documents SET snapshot = replace(snapshot, '27.50', '27.51') ${where}`)).toEqual(
      ['a document must match its hash'],
    )
    expect(await forge(`UPDATE billing_documents SET total_minor = 1, total_nano = 10000000 ${where}`)).toEqual([
      'a paid order must have one receipt for the booked amount',
      'a document must match its hash',
    ])
    expect(await forge(`DELETE FROM billing_documents ${where}`)).toEqual([
      'a paid order must have one receipt for the booked amount',
      'document numbers must have no gaps',
    ])
    expect(await world.audit()).toEqual([])
  })
})
