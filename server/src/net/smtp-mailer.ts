import { createTransport } from 'nodemailer'
import { isMailAddress } from '#lib/mail-address.ts'
import type { Mail, Mailer } from '#ports/mailer.ts'
import { parseSender } from '#lib/parse-sender.ts'

interface SmtpSettings {
  /** `smtp://` or `smtps://`, with a user name and password if the server requires them. */
  readonly url: string
  /** An address, or a name and an address: `Weir <weir@example.com>`. */
  readonly from: string
  /** Time limit of each step of the SMTP dialogue. */
  readonly timeoutMs?: number
}

// Mail servers delay their greeting to unknown clients, Postfix by 6 s, because spam programs do not wait.
const timeoutMsDefault = 30_000
// Each mail has its own connection. A hanging mail server must not accumulate them.
const inFlightMax = 50

/** Mail over SMTP. The envelope is explicit, so that no header can add recipients. */
export function createSmtpMailer(settings: SmtpSettings): Mailer {
  const sender = parseSender(settings.from)
  if (sender === null) throw new Error('the email sender is not a valid address')
  const timeoutMs = settings.timeoutMs ?? timeoutMsDefault
  const transport = createTransport({
    ...serverOf(settings.url),
    dnsTimeout: timeoutMs,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    // Longer than the other timeouts, so that it is not random which timeout reports a silent server.
    socketTimeout: 2 * timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  let inFlight = 0
  return {
    send: async (mail) => {
      assertMail(mail)
      if (inFlight >= inFlightMax) throw new Error(`${inFlight} emails are already in flight`)
      inFlight += 1
      try {
        await transport.sendMail({
          envelope: { from: sender.address, to: [mail.to] },
          from: sender,
          to: { name: '', address: mail.to },
          subject: mail.subject,
          text: mail.text,
          textEncoding: 'quoted-printable',
          ...attachmentOf(mail),
          ...(mail.name === undefined ? {} : { messageId: `<${mail.name}@${domainOf(sender.address)}>` }),
          // Auto-responders do not answer automatic mail.
          headers: { 'auto-submitted': 'auto-generated' },
        })
        return 'accepted'
      } catch (error) {
        if (isRejection(error)) return 'rejected'
        throw error
      } finally {
        inFlight -= 1
      }
    },
  }
}

/**
 * Whether the mail server says that there is no such mailbox (5.1.x, RFC 3463). Other refusals, of the sender, the
 * password or mail from this machine, end when an operator changes the configuration.
 */
function isRejection(error: unknown): boolean {
  if (!(error instanceof Error) || !('command' in error) || !('response' in error)) return false
  return error.command === 'RCPT TO' && /^5\d\d[ -]5\.1\.\d/.test(String(error.response))
}

function attachmentOf({ attachment }: Mail) {
  if (attachment === undefined) return {}
  const { fileName, contentType, bytes } = attachment
  return { attachments: [{ filename: fileName, contentType, content: bytes }] }
}

function domainOf(address: string): string {
  return address.slice(address.indexOf('@') + 1)
}

function serverOf(text: string) {
  const url = new URL(text)
  const isSecure = url.protocol === 'smtps:'
  const base = { host: url.hostname, port: Number(url.port) || (isSecure ? 465 : 587), secure: isSecure }
  if (url.username === '') return base
  // A password is never sent in clear text, even if the server would allow it.
  const auth = { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) }
  return { ...base, auth, requireTLS: true }
}

/** A failure here is our own bug: addresses are checked on input, and the gateway writes the subjects. */
function assertMail({ to, subject, name }: Mail): void {
  if (!isMailAddress(to)) throw new Error('an email must have exactly one recipient')
  if (/[\r\n]/.test(subject)) throw new Error('an email subject must be a single line')
  if (name !== undefined && !/^[\w.-]+$/.test(name)) throw new Error('an email name must be a single word')
}
