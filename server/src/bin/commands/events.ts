import type { SinkListing } from '#ports/event-sinks.ts'
import { listEventSinks } from '#store/postgres/events/event-sinks.sql.ts'
import type { Command } from '../command-line/command.ts'
import { formatTable } from '../command-line/format-table.ts'
import { repeatCommand } from '../command-line/repeat-command.ts'
import { withSession } from '../command-line/session.ts'

export const eventsCommands: readonly Command[] = [
  {
    words: 'events list',
    summary: 'List event sinks with their backlog, lag and last error.',
    async run() {
      return withSession(async ({ pool }) => {
        const listed = await listEventSinks(pool)
        const nowMs = Date.now()
        const rows = listed.map((sink) => [
          sink.name,
          sink.isMore ? `more than ${sink.waiting}` : String(sink.waiting),
          sink.waitingSinceMs === null ? '–' : `${Math.max(0, Math.round((nowMs - sink.waitingSinceMs) / 1_000))} s`,
          momentOf(sink.sentAtMs) ?? 'never',
          momentOf(sink.failingSinceMs) ?? '–',
          momentOf(sink.dueAtMs) ?? '–',
          sink.lastError ?? '',
        ])
        const heading = ['NAME', 'PENDING', 'LAG', 'LAST SENT', 'FAILING SINCE', 'NEXT RETRY', 'LAST ERROR']
        return { lines: formatTable(heading, rows), data: listed.map(describe) }
      })
    },
  },
  repeatCommand('sink', {
    words: 'events repeat',
    summary: 'Have a worker send events to a failing sink again at once.',
    argument: 'name',
  }),
]

function describe(sink: SinkListing) {
  return {
    name: sink.name,
    waiting: sink.waiting,
    waiting_is_more: sink.isMore,
    waiting_since: momentOf(sink.waitingSinceMs),
    last_sent_at: momentOf(sink.sentAtMs),
    failing_since: momentOf(sink.failingSinceMs),
    next_try_at: momentOf(sink.dueAtMs),
    last_error: sink.lastError,
  }
}

function momentOf(unixMs: number | null): string | null {
  return unixMs === null ? null : new Date(unixMs).toISOString()
}
