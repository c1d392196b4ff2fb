import type { Mailer } from '#ports/mailer.ts'
import { createSmtpMailer } from './smtp-mailer.ts'

interface MailSettings {
  readonly url: string | null
  readonly from: string | null
}

/** Mail over SMTP if a server and a sender are configured, otherwise null. */
export function chooseMailer({ url, from }: MailSettings): Mailer | null {
  return url === null || from === null ? null : createSmtpMailer({ url, from })
}
