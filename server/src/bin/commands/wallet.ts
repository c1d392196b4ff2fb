import { operatorAuthor } from '#control/operators/platform-entry.ts'
import { creditWallet, type PaidSource, readWallet } from '#control/wallets/credit-wallet.ts'
import { formatUsd } from '#domain/money/nano-usd.ts'
import {
  isWholeCents,
  quoteTopUp,
  topUpChannels,
  type TopUpQuote,
  type TopUpTerms,
} from '#domain/payments/quote-top-up.ts'
import { type Command, type CommandInput, UsageError } from '../command-line/command.ts'
import { parseAmount } from '../command-line/read-values.ts'
import { withSession } from '../command-line/session.ts'
import { readConfig } from '../read-config.ts'

export const walletCommands: readonly Command[] = [
  {
    words: 'wallet credit',
    summary:
      "Credit a wallet, by its id, its owner's id, a mail address or an organization's slug. The fee of `payments.feePercent` is booked beside the credit.",
    positionals: ['owner', 'amount'],
    options: {
      channel: {
        type: 'string',
        value: '<usd|local>',
        description: 'How it was paid; local adds the tax of `payments.taxPercent`. Default usd.',
      },
      grant: { type: 'boolean', description: 'Given, not paid: no fee and no tax.' },
      note: { type: 'string', value: '<text>', description: 'Kept with the transfers, such as an invoice number.' },
      quote: { type: 'boolean', description: 'Only show what would have to be paid.' },
    },
    async run(input) {
      const amount = parseAmount(input.argument(1))
      if (amount <= 0n) throw new UsageError('The amount must be above zero.')
      const source = readSource(input, readConfig().payments)
      if (source !== 'grant' && !isWholeCents(amount)) throw new UsageError('What was paid is credited in whole cents.')
      const quote = source === 'grant' ? null : quoteTopUp(amount, source.channel, source.terms)
      if (input.flag('quote')) return { lines: quoteLines(quote), data: { quote: quoteJson(quote) } }
      return withSession(async (session) => {
        const credit = { reference: input.argument(0), amount, source, note: input.text('note') ?? null }
        const { walletId, transactionId, balance } = await creditWallet(session, credit, operatorAuthor(Date.now()))
        const lines = [...quoteLines(quote), `wallet ${walletId} now has ${formatUsd(balance)} USD`]
        return { lines, data: { walletId, transactionId, balance: formatUsd(balance), quote: quoteJson(quote) } }
      })
    },
  },
  {
    words: 'wallet show',
    summary: "Show a wallet, by its id, its owner's id, a mail address or an organization's slug.",
    positionals: ['owner'],
    run: (input) =>
      withSession(async ({ wallets }) => {
        const wallet = await readWallet(wallets, input.argument(0))
        const data = {
          id: wallet.id,
          owner: `${wallet.ownerKind} ${wallet.ownerId}`,
          balance: formatUsd(wallet.balance),
          held: formatUsd(wallet.held),
          credited: formatUsd(wallet.credited),
          charged: formatUsd(wallet.charged),
        }
        return { lines: Object.entries(data).map(([name, value]) => `${name.padEnd(8)}  ${value}`), data }
      }),
  },
]

function readSource(input: CommandInput, terms: TopUpTerms): PaidSource | 'grant' {
  const channel = input.text('channel')
  if (input.flag('grant')) {
    if (channel !== undefined) throw new UsageError('A grant comes through no channel.')
    return 'grant'
  }
  const known = topUpChannels.find((name) => name === (channel ?? 'usd'))
  if (known === undefined) throw new UsageError(`The channel is one of ${topUpChannels.join(', ')}.`)
  return { channel: known, terms }
}

function quoteLines(quote: TopUpQuote | null): string[] {
  if (quote === null) return ['granted: nothing to pay']
  const items = quote.lines.map(({ item, amount }) => `${item.padEnd(6)}  ${formatUsd(amount)}`)
  return [...items, `total   ${formatUsd(quote.total)}`]
}

function quoteJson(quote: TopUpQuote | null) {
  if (quote === null) return null
  const lines = quote.lines.map(({ item, amount, percent }) => ({ item, amount: formatUsd(amount), percent }))
  return { credit: formatUsd(quote.credit), lines, total: formatUsd(quote.total) }
}
