import type { Mailer } from '#ports/mailer.ts'

/** Stands where no mail server is configured: a mail goes nowhere, and that is all that is told of it. */
export function createSilentMailer(onDropped: () => void): Mailer {
  return {
    delivers: false,
    send: async () => onDropped(),
  }
}
