import { readWallet } from '#control/wallets/read-wallet.ts'
import { formatUsd } from '#domain/money/nano-usd.ts'
import type { Command } from './command.ts'
import { withSession } from './session.ts'

export const walletShow: Command = {
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
}
