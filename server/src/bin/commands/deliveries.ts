import { publicJobId } from '#domain/video/job-id.ts'
import type { MailListing } from '#ports/mail-outbox.ts'
import type { WebhookListing } from '#ports/webhooks.ts'
import { listMails } from '#store/postgres/mail/outbox.sql.ts'
import { listWebhooks } from '#store/postgres/videos/webhook-queue.ts'
import type { Command } from '../command-line/command.ts'
import { formatTable } from '../command-line/format-table.ts'
import { readListLimit } from '../command-line/read-values.ts'
import { repeatCommand } from '../command-line/repeat-command.ts'
import { withSession } from '../command-line/session.ts'

/** Commands for webhook and email deliveries and their outcomes. */
export const deliveryCommands: readonly Command[] = [
  {
    words: 'webhooks list',
    summary: 'List webhook deliveries for videos and alerts, newest first.',
    options: {
      failed: { type: 'boolean', description: 'Only deliveries that failed at least once.' },
      limit: { type: 'string', value: '<count>', description: 'Maximum number of rows. Default 100.' },
    },
    async run(input) {
      const limit = readListLimit(input.text('limit'))
      return withSession(async ({ pool }) => {
        const listed = await listWebhooks(pool, { onlyFailed: input.flag('failed'), limit })
        const data = listed.map(describeWebhook)
        const rows = data.map((each) => [
          each.id,
          each.job ?? 'alert',
          each.at,
          each.state,
          String(each.tries),
          each.error ?? String(each.status ?? ''),
          each.url,
        ])
        return { lines: formatTable(['ID', 'JOB', 'AT', 'STATE', 'TRIES', 'LAST STATUS', 'URL'], rows), data }
      })
    },
  },
  repeatCommand('webhook', {
    words: 'webhooks repeat',
    summary: 'Have a worker send a failed webhook again at once, with the same body and ID.',
    argument: 'id',
  }),
  {
    words: 'mail list',
    summary: 'List emails of the last 30 days, newest first, without their text.',
    options: {
      failed: { type: 'boolean', description: 'Only emails that are not sent because of an error.' },
      limit: { type: 'string', value: '<count>', description: 'Maximum number of rows. Default 100.' },
    },
    async run(input) {
      const limit = readListLimit(input.text('limit'))
      return withSession(async ({ pool }) => {
        const listed = await listMails(pool, { onlyFailed: input.flag('failed'), limit })
        const data = listed.map(describeMail)
        const rows = data.map((each) => [
          each.id,
          each.class,
          each.at,
          each.state,
          String(each.attempts),
          each.error ?? '',
          each.to ?? '',
          each.subject,
        ])
        return { lines: formatTable(['ID', 'CLASS', 'AT', 'STATE', 'ATTEMPTS', 'ERROR', 'TO', 'SUBJECT'], rows), data }
      })
    },
  },
  repeatCommand('mail', {
    words: 'mail repeat',
    summary: 'Have a worker send a failed email again at once. The text of an email that was given up is deleted.',
    argument: 'id',
  }),
]

function describeWebhook(listing: WebhookListing) {
  const { id, jobId, url, tries, lastStatus: status, lastError: error } = listing
  return {
    id,
    job: jobId === null ? null : publicJobId(jobId),
    at: new Date(listing.createdAtMs).toISOString(),
    state: webhookState(listing),
    tries,
    status,
    error,
    next_try_at: listing.dueAtMs === null ? null : new Date(listing.dueAtMs).toISOString(),
    url,
  }
}

function webhookState({ deliveredAtMs, dueAtMs }: WebhookListing): 'delivered' | 'waiting' | 'given up' {
  if (deliveredAtMs !== null) return 'delivered'
  return dueAtMs === null ? 'given up' : 'waiting'
}

function describeMail(listing: MailListing) {
  const { id, class: mailClass, to, subject, attempts, lastError: error, dueAtMs } = listing
  return {
    id,
    class: mailClass,
    at: new Date(listing.createdAtMs).toISOString(),
    state: mailState(listing),
    attempts,
    error,
    next_attempt_at: dueAtMs === null ? null : new Date(dueAtMs).toISOString(),
    to,
    subject,
  }
}

function mailState({ sentAtMs, dueAtMs }: MailListing): 'sent' | 'waiting' | 'not sent' {
  if (sentAtMs !== null) return 'sent'
  return dueAtMs === null ? 'not sent' : 'waiting'
}
