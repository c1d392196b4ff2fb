import { closeMonth, readMonth } from '#control/accounting/close-month.ts'
import { journalCsv } from '#control/accounting/journal-csv.ts'
import { reportProcessorMonth } from '#control/accounting/report-processor-month.ts'
import { isJsonObject, type JsonObject, type JsonValue, objectsIn } from '#lib/json.ts'
import { type CalendarMonth, parseMonth } from '#lib/utc-calendar.ts'
import { createPostgresAccounting } from '#store/postgres/accounting/postgres-accounting.ts'
import { commandAuthor } from '../command-line/command-author.ts'
import { type Command, type CommandInput, UsageError } from '../command-line/command.ts'
import { formatTable } from '../command-line/format-table.ts'
import { withSession } from '../command-line/session.ts'

/** Like other checks of the books, so that a monitor can tell wrong books from an unavailable database. */
const disagreesExitCode = 3

export const monthCommands: readonly Command[] = [
  {
    words: 'month show',
    summary:
      'Show the books of a month: revenue, provider cost, customer credit, all bookings by account, and tax by country. Exits with code 3 if a closed month has changed.',
    positionals: ['YYYY-MM'],
    options: { csv: { type: 'boolean', description: 'Print the journal as CSV.' } },
    run: (input) =>
      withSession(async ({ pool }) => {
        const { books, closed, agrees } = await readMonth(createPostgresAccounting(pool), readMonthArgument(input))
        const state = closed === null ? 'open' : `closed ${new Date(closed.closedAtMs).toISOString()}`
        const data = { ...books, closed: closed?.sha256 ?? null, agrees }
        const exitCode = agrees === false ? disagreesExitCode : 0
        if (input.flag('csv')) return { lines: await csvOf(books), data, exitCode }
        const last = agrees === false ? ['', 'The books have changed since the month was closed.'] : []
        return { lines: [...linesOf(books, state), ...last], data, exitCode }
      }),
  },
  {
    words: 'month reconcile',
    summary:
      "Compare a month with the payment provider's balance transactions, and list its payouts. Exits with code 3 if a record differs, unless one side is dated in a neighboring month.",
    positionals: ['YYYY-MM'],
    run: (input) =>
      withSession(async ({ pool }) => {
        const data = await reportProcessorMonth(createPostgresAccounting(pool), readMonthArgument(input))
        return { lines: reconciledLines(data), data, exitCode: data['agree'] === true ? 0 : disagreesExitCode }
      }),
  },
  {
    words: 'month close',
    summary: 'Close a past month: store its books, so that later changes are noticed.',
    positionals: ['YYYY-MM'],
    run: (input) =>
      withSession(async ({ pool }) => {
        const month = readMonthArgument(input)
        const { sha256 } = await closeMonth(createPostgresAccounting(pool), month, commandAuthor(Date.now()))
        return { lines: [`closed ${input.argument(0)}, SHA-256 ${sha256}`], data: { month: input.argument(0), sha256 } }
      }),
  },
]

function linesOf(books: JsonObject, state: string): string[] {
  const { before, after } = objectOf(books['deferred_credit'])
  const facts = [
    ['month', `${String(books['month'])}, ${state}`],
    ['revenue', `${String(books['revenue'])} USD`],
    ['expenses', `${String(books['expenses'])} USD`],
    ['result', `${String(books['result'])} USD`],
    ['customer credit', `${String(before)} USD before, ${String(after)} USD after`],
  ]
  return [
    ...facts.map(([title = '', value = '']) => `${title.padEnd(15)} ${value}`),
    '',
    ...tableOf(books['entries'], ['kind', 'provider', 'debit', 'credit', 'amount', 'count']),
    '',
    ...tableOf(books['taxes'], ['country', 'percent', 'currency', 'documents', 'net', 'tax']),
  ]
}

function reconciledLines(data: JsonObject): string[] {
  const providers = objectsIn(data['providers']).map(({ name, read_until: until, complete }) => {
    const state = complete === true ? 'the whole month' : until === null ? 'nothing' : `up to ${String(until)}`
    return `${String(name)}: read ${state}`
  })
  return [
    ...(providers.length === 0 ? ['No configured payment provider shares its records.'] : providers),
    '',
    ...tableOf(data['sums'], ['provider', 'kind', 'currency', 'theirs', 'ours', 'difference']),
    '',
    ...tableOf(data['payouts'], ['created_at', 'id', 'kind', 'currency', 'amount', 'fee']),
    '',
    ...tableOf(objectsIn(data['differences']).map(differenceRow), differenceColumns),
    data['agree'] === true ? 'All records match.' : 'Records differ.',
  ]
}

const differenceColumns = ['record', 'customer', 'kind', 'currency', 'theirs', 'ours', 'other_month']

function differenceRow({ top_up_id: order, line_id: line, customer, ...row }: JsonObject): JsonObject {
  const { name, id } = objectOf(customer)
  return { ...row, record: order ?? line ?? '', customer: name ?? id ?? '' }
}

function tableOf(rows: JsonValue | undefined, columns: readonly string[]): string[] {
  const cells = (Array.isArray(rows) ? rows : []).map((row) => {
    const values = objectOf(row)
    return columns.map((name) => String(values[name] ?? ''))
  })
  return formatTable(
    columns.map((name) => name.toUpperCase()),
    cells,
  )
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {}
}

async function csvOf(books: JsonObject): Promise<string[]> {
  const lines: string[] = []
  for await (const line of journalCsv(books)) lines.push(line.replace(/\r\n$/, ''))
  return lines
}

function readMonthArgument(input: CommandInput): CalendarMonth {
  const month = parseMonth(input.argument(0))
  if (month === undefined) throw new UsageError('Specify a month such as 2027-01.')
  return month
}
