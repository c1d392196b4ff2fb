import type { Discrepancy } from '#ports/books.ts'
import { auditLedger } from '#store/postgres/books/audit-ledger.ts'
import { createPatientPool } from '#store/postgres/patient-pool.ts'
import { readConfig } from '../read-config.ts'
import { type Command, UsageError } from './command.ts'

/** Told apart from failures, so that a monitor can tell wrong books from a database that is away. */
const discrepancyExitCode = 3

/** After the first, which is shown with its rows. */
const othersMax = 100

export const auditLedgerCommand: Command = {
  words: 'audit ledger',
  summary:
    'Check that balances, holds, windows, usage, sums and charges agree to the nano-dollar. Shows the first discrepancy with its rows. Exit code 3 if there is one.',
  options: {
    'overdue-ms': {
      type: 'string',
      value: '<milliseconds>',
      description: 'How late the sweeper may be. Default: two sweeps.',
    },
  },
  run: async (input) => {
    const config = readConfig()
    const overdueText = input.text('overdue-ms') ?? String(config.money.sweepIntervalMs * 2)
    if (!/^\d{1,9}$/.test(overdueText)) throw new UsageError('--overdue-ms is a whole number.')
    const pool = createPatientPool({ url: config.postgres.url, name: 'weir audit', onError: () => {} })
    const discrepancies = await auditLedger(pool, { overdueMs: Number(overdueText) }).finally(() => pool.end())
    const data = discrepancies.map(({ rows, ...discrepancy }) => ({ ...discrepancy, rows: [...rows] }))
    const [first, ...others] = discrepancies
    if (first === undefined) return { lines: ['the books agree'], data }
    return { lines: [...linesOf(first), ...linesOfOthers(others)], data, exitCode: discrepancyExitCode }
  },
}

function linesOf(discrepancy: Discrepancy): string[] {
  const { walletId, what, table, month, day, subject, expected, found, rows } = discrepancy
  const facts = {
    wallet: walletId ?? 'unknown',
    table,
    month: month?.slice(0, -3) ?? null,
    day,
    subject,
    expected,
    found,
  }
  return [
    `The books do not agree: ${what}.`,
    ...Object.entries(facts).flatMap(([name, fact]) => (fact === null ? [] : [`  ${name.padEnd(8)}  ${fact}`])),
    ...(rows.length === 0 ? [] : ['  rows that show it:']),
    ...rows.map((row) => `    ${Object.entries(row).flatMap(cell).join(', ')}`),
  ]
}

function cell([name, value]: [string, unknown]): string[] {
  return value === null || value === undefined ? [] : [`${name}: ${String(value)}`]
}

function linesOfOthers(others: readonly Discrepancy[]): string[] {
  if (others.length === 0) return []
  const shown = others.slice(0, othersMax).map(({ walletId, what, table, day, month, subject, expected, found }) => {
    const where = [`wallet ${walletId ?? 'unknown'}`, table, day ?? month, subject].filter((part) => part !== null)
    return `  ${where.join(', ')}: ${what}; expected ${expected}, found ${found}`
  })
  const left = others.length - shown.length
  return ['Found as well, perhaps for the same reason:', ...shown, ...(left > 0 ? [`  and ${left} more`] : [])]
}
