import { auditLedger } from '#store/postgres/account/audit-ledger.sql.ts'
import { type Command, UsageError } from './command.ts'
import { withSession } from './session.ts'

/** Told apart from failures, so that a monitor can tell wrong books from a database that is away. */
const discrepancyExitCode = 3

export const auditLedgerCommand: Command = {
  words: 'audit ledger',
  summary: 'Check that balances, holds, windows, usage and charges agree to the nano-dollar. Exit code 3 if not.',
  options: {
    'overdue-ms': {
      type: 'string',
      value: '<milliseconds>',
      description: 'How late the sweeper may be. Default: two sweeps.',
    },
  },
  run: (input) =>
    withSession(async ({ pool, config }) => {
      const overdueText = input.text('overdue-ms') ?? String(config.money.sweepIntervalMs * 2)
      if (!/^\d{1,9}$/.test(overdueText)) throw new UsageError('--overdue-ms is a whole number.')
      const discrepancies = await auditLedger(pool, { overdueMs: Number(overdueText) })
      const data = discrepancies.map((discrepancy) => ({ ...discrepancy }))
      if (discrepancies.length === 0) return { lines: ['the books agree'], data }
      const lines = discrepancies.map(({ walletId, what, subject, expected, found }) => {
        const where = [`wallet ${walletId ?? 'unknown'}`, ...(subject === null ? [] : [subject])].join(', ')
        return `${where}: ${what}; expected ${expected}, found ${found}`
      })
      return { lines, data, exitCode: discrepancyExitCode }
    }),
}
