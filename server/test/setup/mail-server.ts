import { EventEmitter, once } from 'node:events'
import { SMTPServer } from 'smtp-server'

/** A received mail: its envelope recipient, and the text for the reader. */
interface ReceivedMail {
  from: string
  to: string[]
  headers: Record<string, string>
  text: string
}

export interface MailServer {
  /** The value of `WEIR_MAIL_URL`. */
  url: string
  /** Sets the response to every recipient, such as `451 4.7.1 Try again later`; null to accept all. */
  refuse(reply: string | null): void
  /** All received mails. */
  mails: ReceivedMail[]
  /** Resolves with the oldest unread mail to this address. */
  nextTo(address: string): Promise<ReceivedMail>
  close(): Promise<void>
}

// Only ends a hung test.
const mailTimeoutMs = 300_000

/** Starts a real mail server on its own port that records its mails. */
export async function startMailServer(): Promise<MailServer> {
  const mails: ReceivedMail[] = []
  const taken = new Set<ReceivedMail>()
  const arrivals = new EventEmitter()
  let refusal: string | null = null
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    onRcptTo: (_address, _session, done) => done(refusalOf(refusal)),
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        const from = mailFrom === false ? '' : mailFrom.address
        mails.push({ from, to: rcptTo.map(({ address }) => address), ...parseMail(Buffer.concat(chunks).toString()) })
        arrivals.emit('mail')
        done()
      })
    },
  })
  const listener = server.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const address = listener.address()
  if (address === null || typeof address === 'string') throw new Error('the mail server has no port')
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    refuse: (reply) => {
      refusal = reply
    },
    mails,
    async nextTo(receiver) {
      const signal = AbortSignal.timeout(mailTimeoutMs)
      for (;;) {
        const mail = mails.find((candidate) => candidate.to.includes(receiver) && !taken.has(candidate))
        if (mail !== undefined) {
          taken.add(mail)
          return mail
        }
        await once(arrivals, 'mail', { signal })
      }
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

function refusalOf(reply: string | null): Error | null {
  if (reply === null) return null
  return Object.assign(new Error(reply.slice(4)), { responseCode: Number(reply.slice(0, 3)) })
}

export function linkIn({ text }: ReceivedMail): URL {
  const [link] = /https?:\/\/\S+/.exec(text) ?? []
  if (link === undefined) throw new Error(`no link in: ${text}`)
  return new URL(link)
}

/** Our mails have only one part, of plain text. */
function parseMail(source: string): { headers: Record<string, string>; text: string } {
  const [head = '', ...rest] = source.split('\r\n\r\n')
  const headers: Record<string, string> = {}
  for (const line of head.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n')) {
    const colon = line.indexOf(':')
    headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim()
  }
  const body = rest.join('\r\n\r\n')
  return {
    headers,
    text: headers['content-transfer-encoding'] === 'quoted-printable' ? fromQuotedPrintable(body) : body,
  }
}

function fromQuotedPrintable(text: string): string {
  const bytes = text
    .replaceAll(/=\r\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_match, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8').replaceAll('\r\n', '\n')
}
