import { publicJobId } from '#domain/video/job-id.ts'
import type { WebhookListing } from '#ports/webhooks.ts'
import { listWebhooks } from '#store/postgres/videos/webhook-queue.ts'
import type { Command } from '../command-line/command.ts'
import { formatTable } from '../command-line/format-table.ts'
import { readListLimit } from '../command-line/read-values.ts'
import { withSession } from '../command-line/session.ts'

export const webhooksCommands: readonly Command[] = [
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
        const data = listed.map(describe)
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
]

function describe(listing: WebhookListing) {
  const { id, jobId, url, tries, lastStatus: status, lastError: error } = listing
  return {
    id,
    job: jobId === null ? null : publicJobId(jobId),
    at: new Date(listing.createdAtMs).toISOString(),
    state: stateOf(listing),
    tries,
    status,
    error,
    next_try_at: listing.dueAtMs === null ? null : new Date(listing.dueAtMs).toISOString(),
    url,
  }
}

function stateOf({ deliveredAtMs, dueAtMs }: WebhookListing): 'delivered' | 'waiting' | 'given up' {
  if (deliveredAtMs !== null) return 'delivered'
  return dueAtMs === null ? 'given up' : 'waiting'
}
