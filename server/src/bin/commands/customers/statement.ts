import { readWallet } from '#control/wallets/credit-wallet.ts'
import { publicGenerationId } from '#domain/ledger/generation-id.ts'
import { balanceChangeOf } from '#domain/ledger/transfer.ts'
import { formatUsd, nanoUsd } from '#domain/money/nano-usd.ts'
import { renderStatement, renderTransfer, renderWallet } from '#http/wallets/render-wallet.ts'
import { type CalendarMonth, monthOf, parseMonth, rangeOfMonth } from '#lib/utc-calendar.ts'
import { uuidTimeMs } from '#lib/uuid.ts'
import type { BookedTransfer, WalletStatement, WalletTotals } from '#ports/ledger.ts'
import { createLedgerReads } from '#store/postgres/ledger/postgres-ledger-reads.ts'
import { type Command, UsageError } from '../../command-line/command.ts'
import { formatTable } from '../../command-line/format-table.ts'
import { readListLimit } from '../../command-line/read-values.ts'
import { withSession } from '../../command-line/session.ts'

export const statementCommands: readonly Command[] = [
  {
    words: 'wallet statement',
    summary:
      'Show the opening balance, the sums by kind, the closing balance and the transactions of a month, by wallet id, owner id, email or organization slug.',
    positionals: ['owner'],
    options: {
      month: { type: 'string', value: '<month>', description: 'Such as 2027-01. Default: the current month, in UTC.' },
      limit: { type: 'string', value: '<count>', description: 'Maximum number of transactions. Default 100.' },
    },
    async run(input) {
      const limit = readListLimit(input.text('limit'))
      const month = readMonth(input.text('month'))
      return withSession(async ({ pool, wallets }) => {
        const { id: walletId } = await readWallet(wallets, input.argument(0))
        const ledger = createLedgerReads(pool)
        const range = rangeOfMonth(month)
        const asked = { walletId, kind: null, fromMs: range.startMs, toMs: range.endMs, after: null, limit }
        const [wallet, statement, transfers] = await Promise.all([
          ledger.readWallet(walletId),
          ledger.readStatement(walletId, range),
          ledger.listTransfers(asked),
        ])
        return {
          lines: [...statementLines(wallet, statement), '', ...transferLines(transfers)],
          data: {
            wallet: renderWallet(wallet),
            statement: renderStatement({ walletId, month }, statement),
            transactions: transfers.map(renderTransfer),
          },
        }
      })
    },
  },
]

function readMonth(text: string | undefined): CalendarMonth {
  const month = text === undefined ? monthOf(Date.now()) : parseMonth(text)
  if (month === undefined) throw new UsageError('--month must be a month such as 2027-01.')
  return month
}

function statementLines(wallet: WalletTotals, { opening, lines, closing }: WalletStatement): string[] {
  const moved = lines.filter(({ moved: amount }) => amount !== 0n)
  const rows = [
    ['opening balance', formatUsd(opening)],
    ...moved.map(({ kind, change }) => [kind, formatUsd(change)]),
    ['closing balance', formatUsd(closing)],
    ['balance now', formatUsd(wallet.balance)],
    ['held now', formatUsd(wallet.held)],
    ['available now', formatUsd(nanoUsd(wallet.balance + wallet.creditLine - wallet.held))],
  ]
  return rows.map(([title = '', value = '']) => `${title.padEnd(16)} ${value}`)
}

function transferLines(transfers: readonly BookedTransfer[]): string[] {
  return formatTable(['AT', 'KIND', 'USD', 'BALANCE AFTER', 'REQUEST OR TRANSACTION'], transfers.map(transferRow))
}

function transferRow(transfer: BookedTransfer): string[] {
  const { id, kind, balanceAfter } = transfer
  return [
    new Date(uuidTimeMs(id)).toISOString(),
    kind,
    formatUsd(balanceChangeOf(transfer)),
    balanceAfter === null ? '-' : formatUsd(balanceAfter),
    kind === 'charge' ? publicGenerationId(id) : id,
  ]
}
