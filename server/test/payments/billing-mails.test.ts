import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTopUps } from '#store/postgres/payments/postgres-top-ups.ts'
import { createAccounts, type TestAccounts } from '#test/setup/accounts.ts'
import { createTestDatabase, type TestDatabase } from '#test/setup/database.ts'
import { type MailServer, startMailServer } from '#test/setup/mail-server.ts'
import { sendMails } from '#test/setup/send-mails.ts'
import { addOrder, paidReading, testIssuer } from './orders.ts'

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
    await createTopUps(database.pool, testIssuer).apply(order.id, paidReading(order), options)
  }
  const work = (url: string | null) => sendMails(database.pool, { url })
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
    await database.pool.query('UPDATE mail_outbox SET due_at = now() WHERE due_at IS NOT NULL')
    await work(server.url)
    expect(mailsTo('later@buyer.test')).toHaveLength(1)
  })

  it('[P15] are closed without a mail server, and not sent by one that is configured later', async () => {
    await paid('never@buyer.test')
    expect(await work(null)).toEqual(['billing no_mail_server'])
    await database.pool.query('UPDATE mail_outbox SET due_at = now() WHERE due_at IS NOT NULL')
    await work(server.url)
    expect(mailsTo('never@buyer.test')).toEqual([])
  })
})
