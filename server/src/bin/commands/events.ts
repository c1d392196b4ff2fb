import { differingSums } from '#domain/events/compare-sums.ts'
import { formatUsd, nanoUsd } from '#domain/money/nano-usd.ts'
import type { SinkListing } from '#ports/event-sinks.ts'
import { malformed } from '#errors/malformed.ts'
import { parseMonth, rangeOfMonth } from '#lib/utc-calendar.ts'
import { listEventSinks } from '#store/postgres/events/event-sinks.sql.ts'
import { type Command, type CommandInput, UsageError } from '../command-line/command.ts'
import { formatTable } from '../command-line/format-table.ts'
import { repeatCommand } from '../command-line/repeat-command.ts'
import { withSession } from '../command-line/session.ts'

/** Like other checks of the books, so that a monitor can tell wrong sums from an unavailable database. */
const disagreesExitCode = 3

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
  {
    words: 'events compare',
    summary:
      "Compare a metering system's sums by customer and month (openmeter, lago or stripe-meter) with the charges that were sent to it. Exits with code 3 if a sum differs.",
    positionals: ['sink', 'YYYY-MM'],
    run: (input) =>
      withSession(async ({ pool, config }) => {
        const sink = input.argument(0)
        const { startMs: fromMs, endMs: toMs } = rangeOfMonth(readMonth(input))
        // Imported here, so that the help of all commands does not load the database modules.
        const { withMeterSums } = await import('../with-meter-sums.ts')
        const { readCustomerCharges } = await import('#store/postgres/events/customer-charges.sql.ts')
        const organizationId = config.events.meterOrganization
        const ours = await readCustomerCharges(pool, { sink, fromMs, toMs, organizationId })
        if (ours === null)
          throw malformed(
            `No worker has sent events to ${sink} yet. Start a worker with this sink, then compare again.`,
          )
        const theirs = await withMeterSums(config, sink, (read) => read({ fromMs, toMs }, [...ours.keys()]))
        const differences = differingSums(ours, theirs)
        const rows = differences.map((sum) => [
          sum.customer,
          usd(sum.theirs),
          usd(sum.ours),
          usd(sum.theirs - sum.ours),
        ])
        const table = formatTable(['CUSTOMER', 'THEIRS', 'OURS', 'DIFFERENCE'], rows)
        return {
          lines:
            rows.length === 0
              ? [`All ${ours.size} customers match.`]
              : [...table, `Sums of ${rows.length} customers differ.`],
          data: {
            customers: ours.size,
            differences: rows.map(([customer = '', their = '', our = '']) => ({ customer, theirs: their, ours: our })),
          },
          exitCode: rows.length === 0 ? 0 : disagreesExitCode,
        }
      }),
  },
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

function usd(amount: bigint): string {
  return amount < 0n ? `-${formatUsd(nanoUsd(-amount))}` : formatUsd(nanoUsd(amount))
}

function readMonth(input: CommandInput) {
  const month = parseMonth(input.argument(1))
  if (month === undefined) throw new UsageError('Specify a month such as 2027-01.')
  return month
}
