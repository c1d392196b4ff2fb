import { GatewayError } from '#errors/gateway-error.ts'
import type { Wallet, Wallets } from '#ports/wallets.ts'

/** By the wallet's id, or by its owner's id or mail address. */
export async function readWallet(wallets: Wallets, reference: string): Promise<Wallet> {
  const wallet = await wallets.find(reference)
  if (wallet === null) throw new GatewayError('notFound', { message: `There is no wallet of ${reference}.` })
  return wallet
}
