/** Sends mail to one person at a time. */
export interface Mailer {
  /**
   * Resolves once the mail server has accepted the mail or permanently rejected its recipient. Rejects if the server
   * did neither in time, or asks for a retry.
   */
  send(mail: Mail): Promise<'accepted' | 'rejected'>
}

export interface Mail {
  /** Exactly one address. */
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly attachment?: MailAttachment
  /**
   * The same for each attempt to send a mail, so that mailboxes recognize repeats. Letters, digits, dots and hyphens.
   */
  readonly name?: string
}

interface MailAttachment {
  readonly fileName: string
  readonly contentType: string
  readonly bytes: Buffer
}
