import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newUuid } from '#lib/uuid.ts'
import { purgeSupersededMails, takeOverMails } from '#store/postgres/billing/superseded-mail-queues.ts'
import { createTopUps } from '#store/postgres/payments/postgres-top-ups.ts'
import { addOrder, paidReading, testIssuer } from '#test/payments/orders.ts'
import { createAccounts, type TestAccounts } from '#test/setup/accounts.ts'
import { createTestDatabase, type TestDatabase } from '#test/setup/database.ts'
import { type MailServer, startMailServer } from '#test/setup/mail-server.ts'
import { sendMails } from '#test/setup/send-mails.ts'

describe('emails that the release before has queued', () => {
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
  beforeEach(async () => {
    server.mails.length = 0
    for (const table of ['mail_outbox', 'mail_deliveries', 'billing_mails']) {
      await database.pool.query(`DELETE FROM ${table}`)
    }
  })

  const query = (text: string, values: unknown[] = []) => database.pool.query(text, values)
  const work = () => sendMails(database.pool, { url: server.url })
  const takeOver = () => takeOverMails(database.pool, { creditsUrl: 'https://weir.test/credits', nowMs: Date.now() })
  /** Queues a notice like a process of the previous release. */
  const queueOldNotice = async (notice: object, { due = 'now()', created = 'now()' } = {}): Promise<string> => {
    const { userId } = await accounts.createClient({ usd: '0' })
    await query(
      `INSERT INTO mail_deliveries (id, user_id, notice, due_at, created_at) VALUES ($1, $2, $3, ${due}, ${created})`,
      [newUuid(Date.now()), userId, JSON.stringify(notice)],
    )
    return String((await query('SELECT email FROM users WHERE id = $1', [userId])).rows[0]?.email)
  }
  /** A receipt whose email is in the old queue instead of the outbox. */
  const queueOldReceipt = async (due = 'now()'): Promise<string> => {
    const { walletId } = await accounts.createClient({ usd: '0' })
    const order = await addOrder(database.pool, { walletId, credit: '25' })
    const options = { event: null, nowMs: Date.now(), describe: () => [] }
    await createTopUps(database.pool, testIssuer).apply(order.id, paidReading(order), options)
    const moved = await query(
      `WITH gone AS (DELETE FROM mail_outbox WHERE class = 'billing' AND sent_at IS NULL RETURNING document_id, address)
       INSERT INTO billing_mails (document_id, kind, recipient, next_try_at) SELECT document_id, 'issued', address, ${due} FROM gone
       RETURNING recipient`,
    )
    return String(moved.rows[0]?.recipient)
  }
  const off = { kind: 'auto_top_up_off', credit: '49' }

  it('are moved and sent once, by several workers at a time', async () => {
    const person = await queueOldNotice(off)
    const buyer = await queueOldReceipt()
    const rounds = await Promise.all([work(), work(), work()])
    expect([...rounds.flat(), ...(await work())].toSorted()).toEqual(['billing sent', 'notice sent'])
    expect(server.mails.map(({ to }) => to[0]).toSorted()).toEqual([buyer, person].toSorted())
    const receipt = server.mails.find(({ to }) => to.includes(buyer))
    expect(receipt?.headers['message-id']).toMatch(/^<issued-TEST-TEST-\d{4}-\d{6}@weir\.test>$/)
    expect(receipt?.text).toMatch(/filename=TEST-TEST-\d{4}-\d{6}\.pdf/)
    expect(server.mails.find(({ to }) => to.includes(person))?.headers['subject']).toContain('Auto top-up is off')
    expect((await query('SELECT 1 FROM mail_deliveries')).rows).toEqual([])
    expect((await query('SELECT next_try_at FROM billing_mails')).rows).toEqual([{ next_try_at: null }])
  })

  it('stay where they are while a worker of that release is sending them', async () => {
    await queueOldNotice(off, { due: "now() + interval '1 minute'" })
    await queueOldReceipt("now() + interval '10 minutes'")
    expect(await work()).toEqual([])
    expect((await query('SELECT 1 FROM mail_deliveries')).rowCount).toBe(1)
    expect((await query('SELECT 1 FROM billing_mails WHERE next_try_at IS NOT NULL')).rowCount).toBe(1)
  })

  it('are given up a day after they were queued, like all others', async () => {
    await queueOldNotice(off, { created: "now() - interval '25 hours'" })
    await queueOldNotice(off, { created: "now() - interval '23 hours'" })
    await queueOldReceipt("now() - interval '6 days'")
    expect(await work()).toEqual(['billing expired', 'notice expired', 'notice sent'])
  })

  it('that were sent or given up there are not sent again, and deleted after 30 days', async () => {
    await queueOldNotice(off, { due: 'NULL' })
    await queueOldNotice(off, { due: 'NULL', created: "now() - interval '31 days'" })
    await queueOldReceipt('NULL')
    await takeOver()
    expect((await query('SELECT 1 FROM mail_outbox')).rowCount).toBe(0)
    expect(await purgeSupersededMails(database.pool, 10)).toBe(1)
    expect((await query('SELECT 1 FROM mail_deliveries')).rowCount).toBe(1)
  })
})
