import type { MailListing } from '#ports/mail-outbox.ts'
import { listMails } from '#store/postgres/mail/outbox.sql.ts'
import type { Command } from '../command-line/command.ts'
import { formatTable } from '../command-line/format-table.ts'
import { readListLimit } from '../command-line/read-values.ts'
import { withSession } from '../command-line/session.ts'

export const mailCommands: readonly Command[] = [
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
        const data = listed.map(describe)
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
]

function describe(listing: MailListing) {
  const { id, class: mailClass, to, subject, attempts, lastError: error, dueAtMs } = listing
  return {
    id,
    class: mailClass,
    at: new Date(listing.createdAtMs).toISOString(),
    state: stateOf(listing),
    attempts,
    error,
    next_attempt_at: dueAtMs === null ? null : new Date(dueAtMs).toISOString(),
    to,
    subject,
  }
}

function stateOf({ sentAtMs, dueAtMs }: MailListing): 'sent' | 'waiting' | 'not sent' {
  if (sentAtMs !== null) return 'sent'
  return dueAtMs === null ? 'not sent' : 'waiting'
}
