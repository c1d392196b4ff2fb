import { once } from 'node:events'
import { createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { MailServer } from '#test/setup/mail-server.ts'
import { startMailServer } from '#test/setup/mail-server.ts'
import { createSmtpMailer } from './smtp-mailer.ts'

describe('mail over SMTP', () => {
  let server: MailServer
  beforeAll(async () => {
    server = await startMailServer()
  })
  afterAll(() => server.close())

  it('reaches exactly the one it is for, whole', async () => {
    const mailer = createSmtpMailer({ url: server.url, from: 'Weir <weir@example.com>' })
    const text = `Grüße, a link: https://weir.test/${'a'.repeat(200)}?b=c\n.\nand a dot alone\n`
    await mailer.send({ to: 'ada@example.org', subject: 'Verify your address', text })
    const mail = await server.nextTo('ada@example.org')
    expect(mail).toMatchObject({ from: 'weir@example.com', to: ['ada@example.org'] })
    expect(mail.headers).toMatchObject({
      from: 'Weir <weir@example.com>',
      to: 'ada@example.org',
      subject: 'Verify your address',
      'auto-submitted': 'auto-generated',
    })
    expect(mail.text.trim()).toBe(text.trim())
  })

  it('takes no list, no header and no line end for a receiver or subject', async () => {
    const mailer = createSmtpMailer({ url: server.url, from: 'weir@example.com' })
    const before = server.mails.length
    const mail = { to: 'ada@example.org', subject: 'Hello', text: '' }
    for (const to of [
      'a@evil.example,b@example.org',
      '<a@evil.example>@example.org',
      'a@b.org\r\nBcc: e@evil.example',
    ]) {
      await expect(mailer.send({ ...mail, to })).rejects.toThrow('exactly one recipient')
    }
    await expect(mailer.send({ ...mail, subject: 'Hello\r\nBcc: eve@evil.example' })).rejects.toThrow('a single line')
    expect(server.mails).toHaveLength(before)
  })

  it.each([
    ['550 5.1.1 No such user', 'rejected'],
    ['553 5.1.3 Bad address', 'rejected'],
  ])('is rejected for good where there is no such mailbox: %s', async (reply, answer) => {
    const mailer = createSmtpMailer({ url: server.url, from: 'weir@example.com' })
    server.refuse(reply)
    expect(await mailer.send({ to: 'ada@example.org', subject: 'Hello', text: '' })).toBe(answer)
    server.refuse(null)
    expect(await mailer.send({ to: 'ada@example.org', subject: 'Hello', text: '' })).toBe('accepted')
  })

  it.each(['451 4.7.1 Greylisted', '450 4.1.1 Not now', '554 5.7.1 Relaying denied', '550 No'])(
    'fails where the answer may change: %s',
    async (reply) => {
      const mailer = createSmtpMailer({ url: server.url, from: 'weir@example.com' })
      server.refuse(reply)
      await expect(mailer.send({ to: 'ada@example.org', subject: 'Hello', text: '' })).rejects.toThrow(/rejected/)
      server.refuse(null)
    },
  )

  it('gives a server up that does not answer', async () => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const address = silent.address()
    const port = typeof address === 'object' ? address?.port : undefined
    const mailer = createSmtpMailer({ url: `smtp://127.0.0.1:${port}`, from: 'weir@example.com', timeoutMs: 100 })
    await expect(mailer.send({ to: 'ada@example.org', subject: 'Hello', text: '' })).rejects.toThrow(/greeting/i)
    silent.close()
  })

  it('sends no password in the clear', async () => {
    const url = server.url.replace('smtp://', 'smtp://name:password@')
    const mailer = createSmtpMailer({ url, from: 'weir@example.com' })
    await expect(mailer.send({ to: 'ada@example.org', subject: 'Hello', text: '' })).rejects.toThrow(/TLS/i)
  })

  it('has a sender that is an address', () => {
    for (const from of ['weir', 'Weir <weir>', 'Weir <weir@example.com>, eve@example.com', 'a\nb <weir@example.com>']) {
      expect(() => createSmtpMailer({ url: server.url, from })).toThrow('not a valid address')
    }
  })
})
