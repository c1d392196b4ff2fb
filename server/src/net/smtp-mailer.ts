import { createTransport } from 'nodemailer'
import { isMailAddress } from '#lib/mail-address.ts'
import type { Mail, Mailer } from '#ports/mailer.ts'
import { parseSender } from '#lib/parse-sender.ts'

interface SmtpSettings {
  /** `smtp://` or `smtps://`, with a name and password where the server wants them. */
  readonly url: string
  /** An address, or a name and an address: `Weir <weir@example.com>`. */
  readonly from: string
  /** For each step of the dialogue. */
  readonly timeoutMs?: number
}

// Mail servers make strangers wait for their greeting, Postfix for 6 s: programs that send spam do not wait.
const timeoutMsDefault = 30_000
// Each mail has a connection of its own; a mail server that hangs must not collect them without end.
const inFlightMax = 50

/** Mail over SMTP. The envelope is stated, so that no header can add to who receives it. */
export function createSmtpMailer(settings: SmtpSettings): Mailer {
  const sender = parseSender(settings.from)
  if (sender === null) throw new Error('the email sender is not a valid address')
  const timeoutMs = settings.timeoutMs ?? timeoutMsDefault
  const transport = createTransport({
    ...serverOf(settings.url),
    dnsTimeout: timeoutMs,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    // Longer, or chance would decide which of the two tells why a silent server was given up.
    socketTimeout: 2 * timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  let inFlight = 0
  return {
    delivers: true,
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
          // Absence notes do not answer mail of machines.
          headers: { 'auto-submitted': 'auto-generated' },
        })
      } finally {
        inFlight -= 1
      }
    },
  }
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
  // A password never travels in the clear, even if the server would let it.
  const auth = { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) }
  return { ...base, auth, requireTLS: true }
}

/** What is wrong here is our own mistake: addresses are checked where they come in, subjects are ours. */
function assertMail({ to, subject, name }: Mail): void {
  if (!isMailAddress(to)) throw new Error('an email must have exactly one recipient')
  if (/[\r\n]/.test(subject)) throw new Error('an email subject must be a single line')
  if (name !== undefined && !/^[\w.-]+$/.test(name)) throw new Error('an email name must be a single word')
}
