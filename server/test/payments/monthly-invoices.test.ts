import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { formatUsd, nanoUsd, parseUsd } from '#domain/money/nano-usd.ts'
import { endOf, startOf } from '#lib/utc-calendar.ts'
import { invoicePart } from '#jobs/billing/invoice-part.ts'
import { newUuid } from '#lib/uuid.ts'
import type { Invoices } from '#ports/billing.ts'
import { createInvoices } from '#store/postgres/billing/postgres-invoices.ts'
import { settleGenerations } from '#store/postgres/money/settle-generations.sql.ts'
import { settleEntry } from '#test/money/settles.ts'
import { callChat } from '#test/setup/call-chat.ts'
import { type Simulator, startSimulator } from '#test/simulators/start-simulator.ts'
import { rollUpUsage } from '#test/usage/roll-up-usage.ts'
import { testIssuer } from './orders.ts'
import { dataOf, type PaymentWorld, startPaymentWorld } from './payment-world.ts'

const hourMs = 3_600_000
const dayMs = 86_400_000
const terms = { ...testIssuer, taxes: new Map([['DE', 19]]), dueDays: 14, suspendDays: 10 }
/**
 * A time in the month that is this many months from now, and the first day of the following month, when that month is
 * billed.
 */
const within = (months: number): number => {
  let atMs = Date.now()
  for (let month = 0; month < months; month += 1) atMs = endOf('month', atMs) + hourMs
  return atMs
}
const billedAt = (months: number): number => endOf('month', within(months)) + 13 * hourMs

interface Debtor {
  readonly id: string
  readonly slug: string
  readonly walletId: string
  readonly session: { readonly cookie: string }
  readonly key: string
}

interface Issued {
  readonly number: string
  readonly total_nano: string
  readonly snapshot: {
    readonly month: string
    readonly balance_usd: string
    readonly carried_usd: string
    readonly usage: readonly { readonly cost_center: string | null; readonly usd: string }[]
    readonly lines: readonly { readonly item: string; readonly amount: string; readonly percent: string | null }[]
  }
}

describe('monthly billing', () => {
  let world: PaymentWorld
  let invoices: Invoices
  let upstream: Simulator
  beforeAll(async () => {
    world = await startPaymentWorld({ gateways: 2 })
    invoices = createInvoices(world.pool)
    upstream = await startSimulator()
    upstream.play({ kind: 'echo' })
    await world.addProvider({ vendor: 'openai', url: `${upstream.url}/v1`, pattern: '*' })
  })
  afterAll(async () => {
    await world.close()
    await upstream.close()
  })
  afterEach(async () => {
    await world.deliver()
    await rollUpUsage(world.pool)
    expect(await world.audit()).toEqual([])
  })

  const debtor = async (): Promise<Debtor> => {
    const organization = await world.createOrganization({ usd: '0', creditLineUsd: '1000' })
    const admin = await world.addMember(organization.id, { role: 'org_admin' })
    const { key } = await world.addOrganizationKey(organization.id, { memberId: admin.memberId })
    return { ...organization, session: { cookie: await world.signIn(admin.userId) }, key }
  }
  const team = async ({ id }: Debtor, costCenter: string | null) => {
    const { teamId } = await world.addTeam(id)
    await world.pool.query('UPDATE teams SET cost_center_code = $2 WHERE id = $1', [teamId, costCenter])
    return teamId
  }
  const spend = async ({ id, walletId }: Debtor, nano: bigint, more: { teamId?: string; atMs?: number } = {}) => {
    const { atMs = Date.now(), teamId } = more
    const who = { id: newUuid(atMs), userId: null, walletId, keyId: newUuid(0), organizationId: id }
    const entry = settleEntry({ ...who, ...(teamId === undefined ? {} : { teamId }) }, nanoUsd(nano), {
      startedAtMs: atMs,
    })
    await settleGenerations(world.pool, [entry])
  }
  const issuedFor = async ({ walletId }: Debtor): Promise<Issued[]> => {
    const text = `SELECT number, total_nano, snapshot::json AS snapshot FROM billing_documents WHERE wallet_id = $1 AND kind = 'invoice' ORDER BY month`
    return (await world.pool.query<Issued>(text, [walletId])).rows
  }
  const issue = async (payer: Debtor, months = 0): Promise<Issued> => {
    while ((await invoices.issueDue(terms, billedAt(months))).isFull);
    const last = (await issuedFor(payer)).at(-1)
    if (last === undefined) throw new Error('no invoice')
    return last
  }
  const balanceOf = async ({ walletId }: Debtor) => (await world.walletOf(walletId)).balance
  const pay = (payer: Debtor, number: string) =>
    world.as(payer.session).send('POST', `/api/wallets/${payer.walletId}/invoices/${number}/pay`, {})

  it('[P18] bills a month of many cost centres to the nano-dollar, once by several workers', async () => {
    const payer = await debtor()
    const spent = new Map<string | null, bigint>()
    // In the next month, which has started when the invoice is issued.
    await spend(payer, 3_000_000_000n, { atMs: within(1) })
    for (let index = 0; index < 25; index += 1) {
      const costCenter = index % 5 === 0 ? null : `CC-${String(index % 9)}`
      const nano = 1_234_567_891n * BigInt(index + 1) + BigInt(index)
      await spend(payer, nano, { teamId: await team(payer, costCenter) })
      spent.set(costCenter, (spent.get(costCenter) ?? 0n) + nano)
      // Half of the requests are rolled up, half are not yet.
      if (index === 12) await rollUpUsage(world.pool)
    }
    await spend(payer, 4_000_000_000n, { atMs: within(1) })
    await spend(payer, 7n)
    spent.set(null, (spent.get(null) ?? 0n) + 7n)
    const total = [...spent.values()].reduce((sum, nano) => sum + nano, 0n)
    await Promise.all(Array.from({ length: 5 }, () => createInvoices(world.pool).issueDue(terms, billedAt(0))))
    const [invoice, ...others] = await issuedFor(payer)
    expect(others).toEqual([])
    if (invoice === undefined) throw new Error('no invoice')
    const { usage, carried_usd, balance_usd, lines, month } = invoice.snapshot
    expect(month).toBe(new Date(startOf('month', Date.now())).toISOString().slice(0, 7))
    expect(balance_usd).toBe('0')
    expect(new Map(usage.map((line) => [line.cost_center, line.usd]))).toEqual(
      new Map([...spent].map(([costCenter, nano]) => [costCenter, formatUsd(nanoUsd(nano))])),
    )
    const billed = total - (total % 10_000_000n)
    expect(invoice.total_nano).toBe(String(billed))
    expect(parseUsd(carried_usd)).toBe(total - billed)
    expect(lines.reduce((sum, line) => sum + parseUsd(line.amount), 0n)).toBe(billed)
  })

  it('[P18] carries what is not billed, and late charges of a month, to the next', async () => {
    const payer = await debtor()
    await spend(payer, 1_019_999_999n)
    const first = await issue(payer)
    expect(first.snapshot).toMatchObject({ total: '1.01', carried_usd: '0.009999999' })
    await spend(payer, 2_000_000_000n)
    await spend(payer, 500_000_001n, { atMs: within(1) })
    const second = await issue(payer, 1)
    expect(second.snapshot).toMatchObject({
      usage: [{ cost_center: null, usd: '0.500000001' }],
      balance_usd: '2.009999999',
      total: '2.51',
      carried_usd: '0',
    })
    expect((await issuedFor(payer)).map(({ number }) => number)).toHaveLength(2)
  })

  it('[P18] takes credit off first, bills nothing where some is left, and adds the tax of the country', async () => {
    const payer = await debtor()
    const body = { name: 'Org', country: 'DE' }
    await world.as(payer.session).send('PUT', `/api/wallets/${payer.walletId}/billing-profile`, body)
    await world.credit(payer.walletId, '5')
    await spend(payer, 4_000_000_000n)
    while ((await invoices.issueDue(terms, billedAt(0))).isFull);
    expect(await issuedFor(payer)).toEqual([])
    await spend(payer, 2_000_000_000n, { atMs: within(1) })
    const { snapshot } = await issue(payer, 1)
    expect(snapshot).toMatchObject({ balance_usd: '-1', total: '1.19', buyer: { country: 'DE' } })
    expect(snapshot.lines.map((line) => [line.item, line.amount, line.percent])).toEqual([
      ['usage', '2.00', null],
      ['balance', '-1.00', null],
      ['tax', '0.19', '19'],
    ])
  })

  it('[P18] is paid by the page that credit is bought on, without a fee, once', async () => {
    const payer = await debtor()
    await spend(payer, 12_345_678_901n)
    const { number } = await issue(payer)
    await spend(payer, 1_000_000_000n, { atMs: within(1) })
    const order = dataOf(await pay(payer, number), 201)
    expect(order).toMatchObject({ state: 'open', credit: 12.34, fee: 0, tax: 0, total: 12.34, invoice_number: number })
    const again = await Promise.all(Array.from({ length: 5 }, () => pay(payer, number)))
    expect(new Set(again.map((reply) => dataOf(reply, 201)['id']))).toEqual(new Set([order['id']]))
    world.pay(order['id'])
    expect(await world.deliver()).toEqual([200])
    expect(await balanceOf(payer)).toBe('-1.005678901')
    const listed = await world.as(payer.session).send('GET', `/api/wallets/${payer.walletId}/invoices`)
    expect(listed.json).toMatchObject({
      data: [
        { number, kind: 'invoice', paid_at: expect.any(String), suspends: false },
        { kind: 'receipt', total: 12.34 },
      ],
    })
    expect((await pay(payer, number)).status).toBe(409)
    // Q01: a transfer must not pay the invoice again either.
    const operator = await world.addOperatorKey()
    const transfer = { amountUsd: 12.34, reference: number }
    const booked = await world.as(operator).send('POST', `/api/admin/wallets/${payer.walletId}/transfers`, transfer)
    expect([booked.status, booked.text]).toEqual([409, expect.stringContaining('is already paid')])
    expect(await balanceOf(payer)).toBe('-1.005678901')
    // The next invoice has the new month's spend and the carried rest, and nothing that is already paid.
    expect((await issue(payer, 1)).snapshot).toMatchObject({ balance_usd: '0.005678901', total: '1.00' })
  })

  it('[P18] is unpaid again where its payment went back, and is not billed twice', async () => {
    const payer = await debtor()
    await spend(payer, 10_000_000_000n)
    const { number } = await issue(payer)
    const { id } = dataOf(await pay(payer, number), 201)
    world.pay(id)
    await world.deliver()
    const operator = await world.addOperatorKey()
    const refunded = await world.as(operator).send('POST', `/api/admin/top-ups/${String(id)}/refund`, { force: true })
    expect(refunded.status).toBe(200)
    expect(await invoices.find(number)).toMatchObject({ paid: 0n, paidAtMs: null })
    while ((await invoices.issueDue(terms, billedAt(1))).isFull);
    expect(await issuedFor(payer)).toHaveLength(1)
    expect(dataOf(await pay(payer, number), 201)['id']).not.toBe(id)
  })

  it('[P18] is paid by a bank transfer with its number, booked once, over its total and for its wallet alone', async () => {
    const payer = await debtor()
    const other = await debtor()
    await spend(payer, 20_000_000_000n)
    const { number } = await issue(payer)
    const operator = await world.addOperatorKey()
    const book = (amountUsd: number, { walletId }: Debtor = payer) =>
      world.as(operator).send('POST', `/api/admin/wallets/${walletId}/transfers`, { amountUsd, reference: number })
    expect((await book(19.99)).status).toBe(409)
    expect((await book(20, other)).status).toBe(409)
    const open = dataOf(await pay(payer, number), 201)
    const booked = await Promise.all([book(20), book(20), book(20)])
    expect(booked.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(dataOf(await book(20), 200)).toMatchObject({
      provider: 'bank',
      state: 'paid',
      invoice_number: number,
      fee: 0,
    })
    expect(await balanceOf(payer)).toBe('0')
    expect(await balanceOf(other)).toBe('0')
    expect(open['id']).not.toBe(dataOf(await book(20), 200)['id'])
  })

  it('[P18] stops spending once it is overdue for too long, says why, and lets it go on when it is paid', async () => {
    const payer = await debtor()
    await spend(payer, 3_000_000_000n)
    const { number } = await issue(payer)
    const dueMs = billedAt(0) + 14 * dayMs
    expect(await invoices.remindDue(terms, dueMs - 1)).not.toContain(number)
    expect(await invoices.remindDue(terms, dueMs)).toContain(number)
    expect(await invoices.remindDue(terms, dueMs)).toEqual([])
    expect(await invoices.suspendOverdue(terms, dueMs + 10 * dayMs - 1)).not.toContain(number)
    const told = await Promise.all(
      Array.from({ length: 4 }, () => createInvoices(world.pool).suspendOverdue(terms, dueMs + 10 * dayMs)),
    )
    expect(told.flat().filter((each) => each === number)).toHaveLength(1)
    const call = () => callChat(world.as(payer), { max_tokens: 50 })
    const refused = await call()
    expect(refused.status).toBe(402)
    expect(refused.json).toMatchObject({ error: { code: 'credit_limit_exceeded' } })
    expect(refused.text).toContain(`invoice ${number} is overdue`)
    expect(refused.text).toContain('/console/credits')
    const { id } = dataOf(await pay(payer, number), 201)
    world.pay(id)
    expect(await world.deliver()).toEqual([200])
    // The other gateway may have booked it; this one is notified.
    await expect.poll(async () => (await call()).status, { interval: 50 }).toBe(200)
    const { rows } = await world.pool.query<{ action: string }>(
      `SELECT action FROM audit_entries WHERE chain_id = $1 AND action LIKE 'invoice.%' ORDER BY sequence`,
      [payer.id],
    )
    expect(rows.map(({ action }) => action)).toEqual([
      'invoice.issue',
      'invoice.remind',
      'invoice.suspend',
      'invoice.unsuspend',
    ])
    const mails = await world.pool.query<{ name: string; body: string }>(
      `SELECT m.name, m.body FROM mail_outbox m JOIN billing_documents d ON d.id = m.document_id WHERE d.number = $1 ORDER BY 1`,
      [number],
    )
    expect(mails.rows.map(({ name }) => name)).toEqual([
      `issued-${number}`,
      `reminder-${number}`,
      `suspended-${number}`,
    ])
    const page = `https://weir.test/console/o/${payer.slug}/credits\n`
    for (const { name, body } of mails.rows) expect(body, name).toContain(page)
  })

  it('[P18] waits for requests of the month that still run, until noon of the first', async () => {
    const payer = await debtor()
    await spend(payer, 1_000_000_000n)
    const holdId = newUuid(Date.now())
    await world.pool.query(
      `INSERT INTO holds (id, wallet_id, key_id, amount_nano, estimate_nano, lease_until) VALUES ($1, $2, $1, 0, 0, now() + interval '1 day')`,
      [holdId, payer.walletId],
    )
    const endMs = endOf('month', Date.now())
    await invoices.issueDue(terms, endMs - 1)
    await invoices.issueDue(terms, endMs + hourMs)
    expect(await issuedFor(payer)).toEqual([])
    await invoices.issueDue(terms, endMs + 12 * hourMs)
    expect(await issuedFor(payer)).toHaveLength(1)
    await world.pool.query('DELETE FROM holds WHERE id = $1', [holdId])
  })

  it('[P18] is issued, reminded of and enforced by the worker, which goes on at once while months are to be billed', async () => {
    const payer = await debtor()
    await spend(payer, 1_000_000_000n)
    let nowMs = billedAt(0)
    const lines: string[] = []
    const part = invoicePart({
      invoices,
      terms,
      log: { info: (_, line) => lines.push(line ?? ''), warn: (_, line) => lines.push(line ?? '') },
      nowMs: () => nowMs,
    })
    const run = () => part.run(new AbortController().signal)
    expect(await run()).toBe(true)
    expect(await run()).toBe(false)
    expect(await issuedFor(payer)).toHaveLength(1)
    nowMs += 24 * dayMs
    await run()
    expect(lines).toEqual([
      'issued invoices',
      'invoices are overdue',
      'suspended spending of organizations with overdue invoices',
    ])
  })

  it('[P18] is compared with the ledger by the audit, to the nano-dollar', async () => {
    const payer = await debtor()
    await spend(payer, 1_234_567_890n)
    const { number } = await issue(payer)
    const change = (text: string) => world.pool.query(text, [number])
    const found = async () => (await world.audit()).map(({ what, subject }) => [what, subject])
    await change('UPDATE invoice_states SET paid_nano = paid_nano + 1 WHERE number = $1')
    expect(await found()).toEqual([['the paid amount of an invoice must match the ledger', number]])
    await change('UPDATE invoice_states SET paid_nano = paid_nano - 1, credit_nano = credit_nano + 1 WHERE number = $1')
    expect((await found()).map(([what]) => what).toSorted()).toEqual([
      'an invoice must equal usage plus carried balance',
      'an invoice total must equal credit plus tax',
    ])
    await change('UPDATE invoice_states SET credit_nano = credit_nano - 1 WHERE number = $1')
    const carry = `UPDATE invoiced_months SET carried_nano = carried_nano + $2
      WHERE document_id = (SELECT id FROM billing_documents WHERE number = $1)`
    await world.pool.query(carry, [number, 1])
    expect(await found()).toEqual([['an invoice must equal usage plus carried balance', number]])
    await world.pool.query(carry, [number, -1])
  })

  it('[P18] is read by those who watch the bill, and paid by administrators', async () => {
    const payer = await debtor()
    await spend(payer, 1_000_000_000n)
    const { number } = await issue(payer)
    const viewer = await world.addMember(payer.id, { role: 'billing_viewer' })
    const session = { cookie: await world.signIn(viewer.userId) }
    const read = await world.as(session).send('GET', `/api/wallets/${payer.walletId}/invoices/${number}`)
    expect(read.json).toMatchObject({ data: { number, kind: 'invoice', paid_at: null, due_at: expect.any(String) } })
    expect((await pay({ ...payer, session }, number)).status).toBe(403)
  })

  it('[P18] is not for prepaid organizations, and not payable by strangers', async () => {
    const prepaid = await world.createOrganization({ usd: '0' })
    await world.pool.query(`UPDATE wallets SET credit_line_nano = 0 WHERE id = $1`, [prepaid.walletId])
    const payer = await debtor()
    const stranger = await debtor()
    await spend(payer, 1_000_000_000n)
    const { number } = await issue(payer)
    const { rows } = await world.pool.query('SELECT 1 FROM invoiced_months WHERE wallet_id = $1', [prepaid.walletId])
    expect(rows).toEqual([])
    expect((await pay({ ...stranger, walletId: payer.walletId }, number)).status).toBe(404)
    expect((await pay(stranger, number)).status).toBe(404)
    expect((await pay(payer, 'WEIR-2000-000001')).status).toBe(404)
  })
})
