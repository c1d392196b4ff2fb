import { Counter, type Registry } from 'prom-client'

export type MailCounter = Counter<'class' | 'outcome'>

/** Gateways and workers both send emails, and count them alike. */
export function createMailCounter(registers: Registry[]): MailCounter {
  return new Counter({
    name: 'weir_emails_total',
    help: 'Emails by class and outcome: sent, failed (an attempt), rejected, expired, no_mail_server or unreadable.',
    labelNames: ['class', 'outcome'],
    registers,
  })
}
