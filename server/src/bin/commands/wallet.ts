import { campaignCsv } from '#control/redemptions/campaign-csv.ts'
import { changeCampaign } from '#control/redemptions/change-campaign.ts'
import { createCampaign } from '#control/redemptions/create-campaign.ts'
import { creditWallet, type PaidSource, readWallet } from '#control/wallets/credit-wallet.ts'
import { formatUsd } from '#domain/money/nano-usd.ts'
import type { Campaign, CampaignTerms } from '#domain/payments/campaign.ts'
import {
  isWholeCents,
  quoteTopUp,
  topUpChannels,
  type TopUpQuote,
  type TopUpTerms,
} from '#domain/payments/quote-top-up.ts'
import { createRedemptions } from '#store/postgres/payments/postgres-redemptions.ts'
import { commandAuthor } from '../command-line/command-author.ts'
import { type Command, type CommandInput, type CommandOutput, UsageError } from '../command-line/command.ts'
import { formatTable } from '../command-line/format-table.ts'
import { parseAmount, readCount, readListLimit, readMoment } from '../command-line/read-values.ts'
import { withSession } from '../command-line/session.ts'
import { readConfig } from '../read-config.ts'

export const walletCommands: readonly Command[] = [
  {
    words: 'wallet credit',
    summary:
      'Credit a wallet, by wallet id, owner id, email or organization slug. The fee from `payments.feePercent` is booked separately.',
    positionals: ['owner', 'amount'],
    options: {
      channel: {
        type: 'string',
        value: '<usd|local>',
        description: 'Payment channel; local adds the tax from `payments.taxPercent`. Default usd.',
      },
      grant: { type: 'boolean', description: 'A grant instead of a payment: no fee and no tax.' },
      expires: {
        type: 'string',
        value: '<timestamp>',
        description: 'Expiry of a grant; the unused rest is removed then. Example: 2027-01-31.',
      },
      note: {
        type: 'string',
        value: '<text>',
        description: 'Note stored with the transfers, such as an invoice number.',
      },
      quote: { type: 'boolean', description: 'Only show the amount to pay.' },
    },
    async run(input) {
      const amount = parseAmount(input.argument(1))
      if (amount <= 0n) throw new UsageError('The amount must be greater than zero.')
      const source = readSource(input, (await readConfig()).payments)
      if (source !== 'grant' && !isWholeCents(amount)) throw new UsageError('Paid credit must be in whole cents.')
      const quote = source === 'grant' ? null : quoteTopUp(amount, source.channel, source.terms)
      if (input.flag('quote')) return { lines: quoteLines(quote), data: { quote: quoteJson(quote) } }
      return withSession(async (session) => {
        const expiresAtMs = readMoment(input.text('expires'))
        const credit = { reference: input.argument(0), amount, source, note: input.text('note') ?? null, expiresAtMs }
        const { walletId, transactionId, balance } = await creditWallet(session, credit, commandAuthor(Date.now()))
        const lines = [...quoteLines(quote), `the balance of wallet ${walletId} is now ${formatUsd(balance)} USD`]
        return { lines, data: { walletId, transactionId, balance: formatUsd(balance), quote: quoteJson(quote) } }
      })
    },
  },
  {
    words: 'wallet show',
    summary: 'Show a wallet, by wallet id, owner id, email or organization slug.',
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
  {
    words: 'wallet campaign create',
    summary: 'Create redemption codes and print them as CSV. Only hashes are stored, so the codes are shown once.',
    positionals: ['name', 'amount'],
    options: {
      codes: { type: 'string', value: '<count>', description: 'Number of codes, up to 10000. Default 1.' },
      uses: { type: 'string', value: '<count>', description: 'Uses per code. Default 1.' },
      max: { type: 'string', value: '<count>', description: 'Total redemptions. Default: all uses of all codes.' },
      'per-person': { type: 'string', value: '<count|none>', description: 'Redemptions per user. Default 1.' },
      'per-wallet': { type: 'string', value: '<count|none>', description: 'Redemptions per wallet. Default 1.' },
      ends: { type: 'string', value: '<timestamp>', description: 'When codes expire, such as 2027-01-31.' },
      expires: {
        type: 'string',
        value: '<timestamp>',
        description: 'Expiry of the credit; the unused rest is removed then.',
      },
    },
    async run(input) {
      const terms = readTerms(input)
      return withSession(async ({ pool }) => {
        const redemptions = createRedemptions(pool)
        const made = await createCampaign(redemptions, { terms, request: null }, commandAuthor(Date.now()))
        const lines = [...campaignCsv(made)].map((line) => line.trimEnd())
        return { lines, data: { ...campaignJson(made.campaign), codes: [...made.codes] } }
      })
    },
  },
  {
    words: 'wallet campaign list',
    summary: 'List campaigns of redemption codes, newest first.',
    options: { limit: { type: 'string', value: '<count>', description: 'Maximum number of rows. Default 100.' } },
    async run(input) {
      const limit = readListLimit(input.text('limit'))
      return withSession(async ({ pool }) => {
        const campaigns = await createRedemptions(pool).list({ before: null, limit })
        const data = campaigns.map(campaignJson)
        const rows = data.map((campaign) => [
          campaign.id,
          campaign.name,
          campaign.amount,
          `${campaign.redemptions} of ${campaign.redemptionsMax}`,
          campaign.enabled ? 'on' : 'off',
          campaign.endsAt ?? '',
        ])
        return { lines: formatTable(['ID', 'NAME', 'USD', 'REDEEMED', 'STATE', 'ENDS'], rows), data }
      })
    },
  },
  {
    words: 'wallet campaign stop',
    summary: "Disable a campaign: its codes can't be redeemed. Credit already redeemed stays.",
    positionals: ['campaign'],
    run: (input) => switchCampaign(input.argument(0), false),
  },
  {
    words: 'wallet campaign resume',
    summary: 'Enable a campaign.',
    positionals: ['campaign'],
    run: (input) => switchCampaign(input.argument(0), true),
  },
]

function readTerms(input: CommandInput): CampaignTerms {
  const limitOf = (option: string): number | null =>
    input.text(option) === 'none' ? null : readCount(input, option, 1)
  const codes = readCount(input, 'codes', 1)
  const usesPerCode = readCount(input, 'uses', 1)
  return {
    name: input.argument(0).trim(),
    amount: parseAmount(input.argument(1)),
    codes,
    usesPerCode,
    redemptionsMax: readCount(input, 'max', codes * usesPerCode),
    perPersonMax: limitOf('per-person'),
    perWalletMax: limitOf('per-wallet'),
    endsAtMs: readMoment(input.text('ends')),
    creditExpiresAtMs: readMoment(input.text('expires')),
  }
}

function switchCampaign(reference: string, enabled: boolean): Promise<CommandOutput> {
  return withSession(async ({ pool }) => {
    const campaign = await changeCampaign(createRedemptions(pool), { reference, enabled }, commandAuthor(Date.now()))
    return { lines: [`campaign ${campaign.id} is ${enabled ? 'enabled' : 'disabled'}`], data: campaignJson(campaign) }
  })
}

function campaignJson({ amount, endsAtMs, creditExpiresAtMs, createdAtMs, ...campaign }: Campaign) {
  return {
    ...campaign,
    amount: formatUsd(amount),
    endsAt: endsAtMs === null ? null : new Date(endsAtMs).toISOString(),
    creditExpiresAt: creditExpiresAtMs === null ? null : new Date(creditExpiresAtMs).toISOString(),
    createdAt: new Date(createdAtMs).toISOString(),
  }
}

function readSource(input: CommandInput, terms: TopUpTerms): PaidSource | 'grant' {
  const channel = input.text('channel')
  if (input.flag('grant')) {
    if (channel !== undefined) throw new UsageError("A grant can't have a channel.")
    return 'grant'
  }
  const known = topUpChannels.find((name) => name === (channel ?? 'usd'))
  if (known === undefined) throw new UsageError(`The channel must be one of ${topUpChannels.join(', ')}.`)
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
