/** Mail to one person at a time. */
export interface Mailer {
  /** False where no mail server is configured: nothing can be asked of people that only a mail would tell them. */
  readonly delivers: boolean
  /** Resolves once a mail server has taken the mail; rejects when it did not in time. */
  send(mail: Mail): Promise<void>
}

export interface Mail {
  /** Exactly one address. */
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly attachment?: MailAttachment
  /** The same for a mail that is sent again, so that mailboxes can tell. Letters, digits, dots and hyphens. */
  readonly name?: string
}

interface MailAttachment {
  readonly fileName: string
  readonly contentType: string
  readonly bytes: Buffer
}
