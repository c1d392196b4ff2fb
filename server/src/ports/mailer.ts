/** Sends mail to one person at a time. */
export interface Mailer {
  /**
   * Resolves once the mail server has accepted the mail, or has rejected its recipient for good. Rejects when it did
   * neither in time, or asks to try again later.
   */
  send(mail: Mail): Promise<'accepted' | 'rejected'>
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
