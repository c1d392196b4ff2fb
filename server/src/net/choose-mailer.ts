import type { Mailer } from '#ports/mailer.ts'
import { createSmtpMailer } from './smtp-mailer.ts'

interface MailSettings {
  readonly url: string | null
  readonly from: string | null
}

/** Mails over SMTP once server and sender are set; without them mails go nowhere, and `onSilent` is told of each. */
export function chooseMailer({ url, from }: MailSettings, onSilent: () => void): Mailer {
  return url === null || from === null ? createSilentMailer(onSilent) : createSmtpMailer({ url, from })
}

/** Stands where no mail server is configured: a mail goes nowhere, and that is all that is told of it. */
function createSilentMailer(onDropped: () => void): Mailer {
  return {
    delivers: false,
    send: async () => onDropped(),
  }
}
