import type { Pool } from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createDeliverMail } from '#control/mail/deliver-mail.ts'
import { createPostMail } from '#control/mail/post-mail.ts'
import type { MailClass } from '#domain/mail/mail-class.ts'
import { sealingKeyFrom } from '#lib/seal.ts'
import { chooseMailer } from '#net/choose-mailer.ts'
import type { MailOutbox, NewMail } from '#ports/mail-outbox.ts'
import { createMailOutbox } from '#store/postgres/mail/mail-outbox.ts'
import { listMails, purgeMails } from '#store/postgres/mail/outbox.sql.ts'
import { queueDocument } from '#store/postgres/mail/queue-document.ts'
import { queueNotice } from '#store/postgres/mail/queue-notice.ts'
import { createTopUps } from '#store/postgres/payments/postgres-top-ups.ts'
import { erasePerson } from '#store/postgres/people/erase-person.ts'
import { inTransaction } from '#store/postgres/with-client.ts'
import { addOrder, paidReading, testIssuer } from '#test/payments/orders.ts'
import { createAccounts, type TestAccounts } from '#test/setup/accounts.ts'
import { createTestDatabase, type TestDatabase } from '#test/setup/database.ts'
import { type MailServer, startMailServer } from '#test/setup/mail-server.ts'
import { mailKey, sendMails } from '#test/setup/send-mails.ts'

const chainId = '00000000-0000-0000-0000-0000000000aa'
const failureEntry = {
  chainId,
  actor: { kind: 'anonymous', id: null, name: null },
  requestId: 'request',
  action: 'institution.code.refused',
  target: { kind: 'institution_key', id: '00000000-0000-0000-0000-0000000000bb' },
  details: { reason: 'mail_failed', domain: 'uni.edu' },
} as const
const link: NewMail = {
  class: 'sign_in',
  to: 'ada@example.com',
  subject: 'Reset your password',
  text: 'https://weir.test/token-4711\n',
  lifeMs: 3_600_000,
}
const code: NewMail = { ...link, class: 'institution_code', subject: 'Your code', text: 'code 123456\n', failureEntry }

describe('the mail outbox', () => {
  let database: TestDatabase
  let pool: Pool
  let accounts: TestAccounts
  let server: MailServer
  let outbox: MailOutbox
  beforeAll(async () => {
    database = await createTestDatabase()
    pool = database.pool
    accounts = createAccounts(pool, { secret: 'unused', refresh: async () => {} })
    server = await startMailServer()
    outbox = createMailOutbox(pool, mailKey)
  })
  afterAll(async () => {
    await server.close()
    await database.drop()
  })
  beforeEach(async () => {
    server.refuse(null)
    server.mails.length = 0
    await pool.query('DELETE FROM mail_outbox')
  })

  /** Sends an email as a gateway does for a person who waits. Returns the counted outcomes. */
  const post = async (mail: NewMail, url: string | null): Promise<string[]> => {
    const outcomes: string[] = []
    const deliver = createDeliverMail({
      outbox,
      mailer: chooseMailer({ url, from: 'weir@weir.test' }),
      onOutcome: (outcome, about) => void outcomes.push(`${about.class} ${outcome}`),
      nowMs: Date.now,
    })
    await createPostMail({ outbox, deliver, nowMs: Date.now })(mail)
    return outcomes
  }
  const newWallet = async (): Promise<string> => (await accounts.createClient({ usd: '0' })).walletId
  const postNotice = async (owned?: string): Promise<void> => {
    const walletId = owned ?? (await newWallet())
    const notice = { kind: 'auto_top_up_off', credit: '49' } as const
    const queued = { notice, creditsUrl: 'https://weir.test/credits', nowMs: Date.now() }
    await inTransaction(pool, 'READ COMMITTED', (client) => queueNotice(client, walletId, queued))
  }
  const postReceipt = async (owned?: string): Promise<void> => {
    const walletId = owned ?? (await newWallet())
    const order = await addOrder(pool, { walletId, credit: '25' })
    const options = { event: null, nowMs: Date.now(), describe: () => [] }
    await createTopUps(pool, testIssuer).apply(order.id, paidReading(order), options)
  }
  /** Adds an email of the class and sends it once. Returns the outcomes. */
  const sendOnce: Record<MailClass, (url: string | null) => Promise<string[]>> = {
    sign_in: (url) => post(link, url),
    institution_code: (url) => post(code, url),
    invitation: (url) => post({ ...link, class: 'invitation' }, url),
    notice: async (url) => {
      await postNotice()
      return sendMails(pool, { url })
    },
    billing: async (url) => {
      await postReceipt()
      return sendMails(pool, { url })
    },
  }
  const rows = async () => {
    const text = `SELECT class, body IS NOT NULL AS body, address IS NOT NULL OR user_id IS NOT NULL AS recipient, attempts,
        due_at IS NOT NULL AS due, sent_at IS NOT NULL AS sent, last_error AS error,
        round(extract(epoch FROM expires_at - created_at))::integer AS life_s
      FROM mail_outbox ORDER BY created_at`
    return (await pool.query(text)).rows
  }
  const entries = async (): Promise<unknown[]> =>
    (await pool.query('SELECT details FROM audit_entries WHERE chain_id = $1 ORDER BY sequence', [chainId])).rows
  /** Makes every open email due, as if its pause were over. */
  const letPause = () => pool.query('UPDATE mail_outbox SET due_at = clock_timestamp() WHERE due_at IS NOT NULL')
  const letExpire = () => pool.query('UPDATE mail_outbox SET expires_at = clock_timestamp()')

  // The outcome of one email at its first attempt. `recipient` is whether the row still has its address.
  const classes = [
    { class: 'sign_in', life_s: 3_600, recipient: false, isAudited: false },
    { class: 'institution_code', life_s: 3_600, recipient: false, isAudited: true },
    { class: 'invitation', life_s: 3_600, recipient: false, isAudited: false },
    { class: 'notice', life_s: 86_400, recipient: true, isAudited: false },
    { class: 'billing', life_s: 86_400, recipient: true, isAudited: false },
  ] as const
  const servers = [
    { server: 'accepts', outcome: 'sent', closed: true, row: { due: false, sent: true, body: false, error: null } },
    {
      server: 'defers',
      outcome: 'failed',
      closed: false,
      row: { due: true, sent: false, body: true, error: 'EENVELOPE' },
    },
    {
      server: 'is away',
      outcome: 'failed',
      closed: false,
      row: { due: true, sent: false, body: true, error: 'ESOCKET' },
    },
    {
      server: 'refuses us',
      outcome: 'failed',
      closed: false,
      row: { due: true, sent: false, body: true, error: 'EENVELOPE' },
    },
    {
      server: 'knows no such mailbox',
      outcome: 'rejected',
      closed: true,
      row: { due: false, sent: false, body: false, error: 'rejected' },
    },
    {
      server: 'is not configured',
      outcome: 'no_mail_server',
      closed: true,
      row: { due: false, sent: false, body: false, error: 'no_mail_server' },
    },
  ] as const
  const replies: Record<string, string> = {
    defers: '451 4.7.1 Try again later',
    'refuses us': '554 5.7.1 Relaying denied',
    'knows no such mailbox': '550 5.1.1 No such user',
  }
  const urls: Record<string, string | null> = { 'is away': 'smtp://127.0.0.1:9', 'is not configured': null }

  for (const mail of classes) {
    it.each(servers)(`${mail.class} where the mail server $server: $outcome`, async (each) => {
      const auditedBefore = (await entries()).length
      server.refuse(replies[each.server] ?? null)
      const { [each.server]: url = each.server === 'is not configured' ? null : server.url } = urls
      expect(await sendOnce[mail.class](url)).toEqual([`${mail.class} ${each.outcome}`])
      const { class: mailClass, life_s } = mail
      expect(await rows()).toEqual([
        { class: mailClass, life_s, attempts: 1, recipient: mail.recipient || !each.closed, ...each.row },
      ])
      expect(server.mails).toHaveLength(each.outcome === 'sent' ? 1 : 0)
      const isLost = each.closed && each.outcome !== 'sent'
      expect((await entries()).slice(auditedBefore)).toEqual(
        mail.isAudited && isLost ? [{ details: { reason: 'mail_failed', domain: 'uni.edu' } }] : [],
      )
      // A closed email is not sent by any later worker; a failed email is sent once the mail server is back.
      server.refuse(null)
      await letPause()
      const later = await sendMails(pool, { url: server.url })
      expect(later).toEqual(each.closed ? [] : [`${mail.class} sent`])
    })

    it(`${mail.class} that the mail server never accepts is retried until it is useless, and then closed`, async () => {
      const auditedBefore = (await entries()).length
      server.refuse('451 4.7.1 Try again later')
      await sendOnce[mail.class](server.url)
      await letPause()
      expect(await sendMails(pool, { url: server.url })).toEqual([`${mail.class} failed`])
      expect(await rows()).toMatchObject([{ attempts: 2, due: true, body: true }])
      await letExpire()
      await letPause()
      expect(await sendMails(pool, { url: server.url })).toEqual([`${mail.class} expired`])
      expect(await rows()).toMatchObject([
        { due: false, sent: false, body: false, recipient: mail.recipient, error: 'expired' },
      ])
      expect((await entries()).length - auditedBefore).toBe(mail.isAudited ? 1 : 0)
    })
  }

  it('gives an email up with the attempt after which no other is worth it', async () => {
    expect(await post({ ...code, lifeMs: 1_999 }, 'smtp://127.0.0.1:9')).toEqual([
      'institution_code failed',
      'institution_code expired',
    ])
    expect(await rows()).toMatchObject([{ due: false, body: false, recipient: false, error: 'ESOCKET' }])
  })

  it('waits as long as the policy says, twice as long after every attempt', async () => {
    const pauseS = async (): Promise<unknown> => {
      const text = 'SELECT round(extract(epoch FROM due_at - clock_timestamp())) AS pause FROM mail_outbox'
      return Number((await pool.query(text)).rows[0]?.pause)
    }
    await postNotice()
    await sendMails(pool, { url: 'smtp://127.0.0.1:9' })
    expect(await pauseS()).toBeLessThanOrEqual(2)
    await pool.query('UPDATE mail_outbox SET attempts = 8')
    await letPause()
    await sendMails(pool, { url: 'smtp://127.0.0.1:9' })
    expect(await pauseS()).toBeLessThanOrEqual(512)
    expect(await pauseS()).toBeGreaterThan(256)
  })

  it('keeps no link and no code in the clear, and opens each for its own row alone', async () => {
    await post(link, 'smtp://127.0.0.1:9')
    await post({ ...code, to: 'bob@example.com' }, 'smtp://127.0.0.1:9')
    const stored = await pool.query<{ row: string }>('SELECT m::text AS row FROM mail_outbox m')
    for (const { row } of stored.rows) expect(row).not.toMatch(/4711|123456/)
    await pool.query(
      `UPDATE mail_outbox a SET body = b.body FROM mail_outbox b WHERE b.class = 'sign_in' AND a.id <> b.id`,
    )
    await letPause()
    expect(await sendMails(pool, { url: server.url })).toEqual(['institution_code unreadable', 'sign_in sent'])
    expect(server.mails.map(({ to }) => to)).toEqual([['ada@example.com']])
  })

  it('closes an email whose secret is not configured any more, and sends the others', async () => {
    await post(link, 'smtp://127.0.0.1:9')
    await postNotice()
    await letPause()
    const sealingKey = sealingKeyFrom('another secret of thirty characters')
    expect(await sendMails(pool, { url: server.url, sealingKey })).toEqual(['notice sent', 'sign_in unreadable'])
  })

  it('sends a secret email with the previous secret', async () => {
    await post(link, 'smtp://127.0.0.1:9')
    await letPause()
    const sealingKey = sealingKeyFrom('another secret of thirty characters', ['a secret of thirty-two characters'])
    expect(await sendMails(pool, { url: server.url, sealingKey })).toEqual(['sign_in sent'])
  })

  it('replaces an open email on the same topic, and leaves other topics alone', async () => {
    const failing = 'smtp://127.0.0.1:9'
    await post({ ...code, topic: 'a', text: 'code 111111\n' }, failing)
    await post({ ...code, topic: 'b', text: 'code 222222\n' }, failing)
    await post({ ...code, topic: 'a', text: 'code 333333\n' }, failing)
    await letPause()
    await sendMails(pool, { url: server.url })
    expect(server.mails.map(({ text }) => text.trim()).toSorted()).toEqual(['code 222222', 'code 333333'])
    const replaced = await pool.query(`SELECT body, address FROM mail_outbox WHERE last_error = 'replaced'`)
    expect(replaced.rows).toEqual([{ body: null, address: null }])
  })

  it('gives each email to one process, and to another once the claim has lapsed', async () => {
    await postNotice()
    const [claimed, ...others] = (await Promise.all([1, 2, 3].map(() => outbox.claim(5, 60_000)))).flat()
    expect(others).toEqual([])
    expect(claimed).toMatchObject({ class: 'notice', attempts: 0, isExpired: false })
    await letPause()
    const [again] = await outbox.claim(5, 60_000)
    expect(again).toMatchObject({ id: claimed?.id, attempts: 1 })
    // The first process resumes: it neither postpones nor closes the email that the second is sending.
    if (claimed === undefined || again === undefined) throw new Error('not claimed')
    const attempt = { error: 'ETIMEDOUT', nowMs: Date.now() }
    expect(await outbox.failed(claimed, { ...attempt, pauseMs: null })).toBe('superseded')
    expect(await outbox.failed(claimed, { ...attempt, pauseMs: 1 })).toBe('superseded')
    expect(await rows()).toMatchObject([{ due: true, error: null }])
    // An email that the mail server has accepted counts as sent, whichever attempt it was.
    await outbox.sent(claimed)
    expect(await outbox.failed(again, { ...attempt, pauseMs: 1 })).toBe('superseded')
    expect(await rows()).toMatchObject([{ sent: true, due: false, error: null }])
  })

  it('leaves an email that a person waits for to the process that added it, until that has died', async () => {
    await outbox.addClaimed(link, { claimMs: 60_000, nowMs: Date.now() })
    expect(await sendMails(pool, { url: server.url })).toEqual([])
    await letPause()
    expect(await sendMails(pool, { url: server.url })).toEqual(['sign_in sent'])
  })

  it('sends the same Message-ID with every attempt, and another with every email', async () => {
    await post(link, server.url)
    await post(link, server.url)
    const [first, second] = server.mails.map(({ headers }) => headers['message-id'])
    expect(first).toMatch(/^<[\da-f-]{36}@weir\.test>$/)
    expect(second).not.toBe(first)
  })

  it('adds an email about a document once', async () => {
    await postReceipt()
    const { rows: documents } = await pool.query<{ id: string; number: string; snapshot: string }>(
      'SELECT id, number, snapshot FROM billing_documents ORDER BY serial DESC LIMIT 1',
    )
    const [document] = documents
    if (document === undefined) throw new Error('no document')
    const again = { ...document, currency: 'usd', total: 1n } as never
    const about = { kind: 'issued', document: again, walletId: await newWallet() } as const
    const queued = { ...about, recipient: 'a@b.test', creditsUrl: '', nowMs: 0 } as const
    await inTransaction(pool, 'READ COMMITTED', (client) => queueDocument(client, queued))
    expect(await rows()).toHaveLength(1)
    for (const recipient of [null, 'deleted:4711']) {
      const none = { ...queued, kind: 'reminder', recipient } as const
      await inTransaction(pool, 'READ COMMITTED', (client) => queueDocument(client, none))
    }
    expect(await rows()).toHaveLength(1)
  })

  it('is gone with the transaction that added it', async () => {
    const walletId = await newWallet()
    const queued = { notice: { kind: 'auto_top_up_off', credit: '1' }, creditsUrl: '', nowMs: Date.now() } as const
    const fault = new Error('rolled back')
    const change = inTransaction(pool, 'READ COMMITTED', async (client) => {
      await queueNotice(client, walletId, queued)
      throw fault
    })
    await expect(change).rejects.toBe(fault)
    expect(await rows()).toEqual([])
  })

  it('is erased with its person, also about their own wallet to another address, and no other is', async () => {
    const { userId, walletId } = await accounts.createClient({ usd: '0' })
    const profile = `INSERT INTO billing_profiles (wallet_id, name, address, email) VALUES ($1, '', '', 'books@firm.test')`
    await pool.query(profile, [walletId])
    await postReceipt(walletId)
    await postNotice(walletId)
    await postReceipt()
    await post(link, 'smtp://127.0.0.1:9')
    const author = { actor: { kind: 'system', id: null, name: null }, requestId: null, nowMs: Date.now() } as const
    expect(await erasePerson(pool, userId, author)).toEqual({ organizationIds: [] })
    expect((await rows()).map((row) => row.class)).toEqual(['billing', 'sign_in'])
  })

  it('is listed without text, and without addresses that are not kept', async () => {
    await post(link, server.url)
    await post(code, null)
    await postReceipt()
    const all = await listMails(pool, { onlyFailed: false, limit: 10 })
    expect(all.map((mail) => [mail.class, mail.to === null, mail.lastError])).toEqual([
      ['billing', false, null],
      ['institution_code', true, 'no_mail_server'],
      ['sign_in', true, null],
    ])
    expect(await listMails(pool, { onlyFailed: true, limit: 10 })).toMatchObject([{ class: 'institution_code' }])
    expect(await listMails(pool, { onlyFailed: false, limit: 1 })).toHaveLength(1)
  })

  it('forgets closed emails after 30 days, and open ones never', async () => {
    await post(link, server.url)
    await postNotice()
    await pool.query(`UPDATE mail_outbox SET created_at = now() - interval '29 days'`)
    expect(await purgeMails(pool, 10)).toBe(0)
    await pool.query(`UPDATE mail_outbox SET created_at = now() - interval '31 days'`)
    expect(await purgeMails(pool, 10)).toBe(1)
    expect(await rows()).toMatchObject([{ class: 'notice', due: true }])
  })
})
