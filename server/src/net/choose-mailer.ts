import type { Mailer } from '#ports/mailer.ts'
import { createSmtpMailer } from './smtp-mailer.ts'

interface MailSettings {
  readonly url: string | null
  readonly from: string | null
}

/** Mail over SMTP once server and sender are set; null without them. */
export function chooseMailer({ url, from }: MailSettings): Mailer | null {
  return url === null || from === null ? null : createSmtpMailer({ url, from })
}
