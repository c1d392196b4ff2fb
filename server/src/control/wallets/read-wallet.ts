import { GatewayError } from '#errors/gateway-error.ts'
import type { Wallet, Wallets } from '#ports/ledger.ts'

/** By the wallet's id, its owner's id, a user's mail address or an organization's slug. */
export async function readWallet(wallets: Wallets, reference: string): Promise<Wallet> {
  const wallet = await wallets.find(reference)
  if (wallet === null) throw new GatewayError('notFound', { message: `There is no wallet of ${reference}.` })
  return wallet
}
