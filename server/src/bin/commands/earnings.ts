import { formatUsd, nanoUsd } from '#domain/money/nano-usd.ts'
import { renderSums } from '#http/operators/render-earnings.ts'
import { type CalendarMonth, monthOf, parseMonth, rangeOfMonth } from '#lib/utc-calendar.ts'
import { type EarningsGroup, earningsGroups, type EarningsRow, type EarningsSums } from '#ports/earnings.ts'
import { createPostgresEarnings } from '#store/postgres/usage/postgres-earnings.ts'
import { type Command, type CommandInput, UsageError } from '../command-line/command.ts'
import { formatTable } from '../command-line/format-table.ts'
import { withSession } from '../command-line/session.ts'

const rowsMax = 10_000

export const earningsCommands: readonly Command[] = [
  {
    words: 'earnings',
    summary: 'Show charges, provider cost and margin of a month, by day, model, provider or customer.',
    options: {
      month: { type: 'string', value: '<YYYY-MM>', description: 'The month in UTC. Default: the current month.' },
      by: { type: 'string', value: `<${earningsGroups.join('|')}>`, description: 'Default: day.' },
    },
    run: (input) =>
      withSession(async ({ pool }) => {
        const range = rangeOfMonth(readMonth(input))
        const by = readGroup(input)
        const { total, rows } = await createPostgresEarnings(pool).sum({ range, by, limit: rowsMax })
        const titles = [by.toUpperCase(), 'REQUESTS', 'CHARGED', 'ABSORBED', 'PROVIDER COST', 'MARGIN']
        return {
          lines: formatTable(titles, [...rows.map((row) => [nameOf(row), ...cells(row)]), ['total', ...cells(total)]]),
          data: {
            by,
            total: renderSums(total),
            rows: rows.map((row) => ({ key: row.key, name: row.owner?.name ?? null, ...renderSums(row) })),
          },
        }
      }),
  },
]

function nameOf({ key, owner }: EarningsRow): string {
  if (owner !== undefined) return owner.name ?? `(deleted) ${owner.id}`
  return key ?? '(none answered)'
}

function cells({ requests, charged, absorbed, providerCost }: EarningsSums): string[] {
  const margin = nanoUsd(charged - providerCost)
  return [String(requests), formatUsd(charged), formatUsd(absorbed), formatUsd(providerCost), formatUsd(margin)]
}

function readGroup(input: CommandInput): EarningsGroup {
  const text = input.text('by') ?? 'day'
  const group = earningsGroups.find((known) => known === text)
  if (group === undefined) throw new UsageError(`--by must be one of ${earningsGroups.join(', ')}.`)
  return group
}

function readMonth(input: CommandInput): CalendarMonth {
  const text = input.text('month')
  if (text === undefined) return monthOf(Date.now())
  const month = parseMonth(text)
  if (month === undefined) throw new UsageError('--month must be a month such as 2027-01.')
  return month
}
