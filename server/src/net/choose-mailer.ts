import type { Mailer } from '#ports/mailer.ts'
import { createSilentMailer } from './silent-mailer.ts'
import { createSmtpMailer } from './smtp-mailer.ts'

export interface MailSettings {
  readonly url: string | null
  readonly from: string | null
}

/** Mails over SMTP once server and sender are set; without them mails go nowhere, and `onSilent` is told of each. */
export function chooseMailer({ url, from }: MailSettings, onSilent: () => void): Mailer {
  return url === null || from === null ? createSilentMailer(onSilent) : createSmtpMailer({ url, from })
}
