/** Sends mail to one person at a time. */
export interface Mailer {
  /** False if no mail server is configured: nothing can be required of people that only a mail would tell them. */
  readonly delivers: boolean
  /** Resolves once a mail server has accepted the mail. Rejects if it did not in time. */
  send(mail: Mail): Promise<void>
}

export interface Mail {
  /** Exactly one address. */
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly attachment?: MailAttachment
  /** The same for a mail that is sent again, so that mailboxes can recognize it. Letters, digits, dots and hyphens. */
  readonly name?: string
}

interface MailAttachment {
  readonly fileName: string
  readonly contentType: string
  readonly bytes: Buffer
}
