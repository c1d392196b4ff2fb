import type { Mailer } from '#ports/mailer.ts'
import { createSmtpMailer } from './smtp-mailer.ts'

interface MailSettings {
  readonly url: string | null
  readonly from: string | null
}

/**
 * Sends mail over SMTP if server and sender are set. Otherwise mails are dropped, and `onSilent` is called for each.
 */
export function chooseMailer({ url, from }: MailSettings, onSilent: () => void): Mailer {
  return url === null || from === null ? createSilentMailer(onSilent) : createSmtpMailer({ url, from })
}

/** Used if no mail server is configured: it drops mails and reports only that. */
function createSilentMailer(onDropped: () => void): Mailer {
  return {
    delivers: false,
    send: async () => onDropped(),
  }
}
