import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BillingJobDeps, billingParts } from '#jobs/billing/billing-parts.ts'
import { createSmtpMailer } from '#net/smtp-mailer.ts'
import type { Mailer } from '#ports/mailer.ts'
import { createInvoices } from '#store/postgres/billing/postgres-invoices.ts'
import { createBilling } from '#store/postgres/billing/postgres-billing.ts'
import { createTopUps } from '#store/postgres/payments/postgres-top-ups.ts'
import { createAccounts, type TestAccounts } from '#test/setup/accounts.ts'
import { createTestDatabase, type TestDatabase } from '#test/setup/database.ts'
import { type MailServer, startMailServer } from '#test/setup/mail-server.ts'
import { addOrder, paidReading, testSeller } from './orders.ts'

describe('mails of receipts', () => {
  let database: TestDatabase
  let accounts: TestAccounts
  let server: MailServer

  beforeAll(async () => {
    database = await createTestDatabase()
    accounts = createAccounts(database.pool, { secret: 'unused', refresh: async () => {} })
    server = await startMailServer()
  })
  afterAll(async () => {
    await server.close()
    await database.drop()
  })

  const paid = async (email: string): Promise<void> => {
    const { walletId } = await accounts.createClient({ usd: '0' })
    await database.pool.query(
      `INSERT INTO billing_profiles (wallet_id, name, address, email) VALUES ($1, 'Buyer', '', $2)`,
      [walletId, email],
    )
    const order = await addOrder(database.pool, { walletId, credit: '25' })
    const options = { event: null, nowMs: Date.now(), describe: () => [] }
    await createTopUps(database.pool, testSeller).apply(order.id, paidReading(order), options)
  }
  const depsOf = (mailer: Mailer): BillingJobDeps => ({
    mails: createBilling(database.pool).mails,
    mailer,
    invoices: createInvoices(database.pool),
    terms: { seller: testSeller, taxes: new Map(), dueDays: 14, suspendDays: 14 },
    creditsUrl: 'https://weir.test/console/credits',
    log: pino({ level: 'silent' }),
    lookEveryMs: 1,
    nowMs: Date.now,
  })
  const work = async (url: string): Promise<void> => {
    const deps = depsOf(createSmtpMailer({ url, from: 'Weir <billing@weir.test>' }))
    const mailing = billingParts(deps).find(({ name }) => name === 'billing-mails')
    await mailing?.run(new AbortController().signal)
    await mailing?.end?.()
  }
  const mailsTo = (address: string) => server.mails.filter(({ to }) => to.includes(address))

  it('[P15] are sent once by several workers, with the PDF', async () => {
    await paid('once@buyer.test')
    await Promise.all(Array.from({ length: 5 }, () => work(server.url)))
    await work(server.url)
    const [mail, ...others] = mailsTo('once@buyer.test')
    expect(others).toEqual([])
    expect(mail?.headers).toMatchObject({
      subject: expect.stringMatching(/^Receipt TEST-TEST-\d{4}-000001$/),
      'message-id': expect.stringMatching(/^<issued-TEST-TEST-\d{4}-000001@weir\.test>$/),
    })
    expect(mail?.text).toContain('27.50 USD is attached.')
    expect(mail?.text).toMatch(/filename=TEST-TEST-\d{4}-000001\.pdf/)
    expect(mail?.text).toContain(Buffer.from('%PDF-1.5\n').toString('base64'))
  })

  it('[P15] wait for a mail server that is away, and are then sent', async () => {
    await paid('later@buyer.test')
    await work('smtp://127.0.0.1:9')
    expect(mailsTo('later@buyer.test')).toEqual([])
    await work(server.url)
    expect(mailsTo('later@buyer.test')).toEqual([])
    await database.pool.query('UPDATE billing_mails SET next_try_at = now() WHERE sent_at IS NULL')
    await work(server.url)
    expect(mailsTo('later@buyer.test')).toHaveLength(1)
  })

  it('[P15] are not sent without a mail server', () => {
    const parts = billingParts(depsOf({ delivers: false, send: async () => {} }))
    expect(parts.map(({ name }) => name)).toEqual(['invoices'])
  })
})
