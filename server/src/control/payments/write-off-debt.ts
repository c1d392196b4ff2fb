import { platformEntry } from '../operators/platform-entry.ts'
import { keyReused } from '../wallets/credit-wallet.ts'
import { writeOffTransfers } from '#domain/ledger/transfer.ts'
import { formatUsd, type NanoUsd, usdJson } from '#domain/money/nano-usd.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { newUuid } from '#lib/uuid.ts'
import type { Announce } from '#ports/announce.ts'
import type { ChangeAuthor } from '#ports/keys.ts'
import type { IdempotentRequest } from '#ports/idempotency.ts'
import type { CreditedWallet, Wallet, Wallets } from '#ports/ledger.ts'

/** Writes off an owner's debt as a loss of the service. It never gives a wallet credit. */
export async function writeOffDebt(
  { wallets, announce }: { readonly wallets: Wallets; readonly announce: Announce },
  { id: walletId, balance }: Wallet,
  { amount, note, request }: { amount: NanoUsd; note: string; request: IdempotentRequest | null },
  author: ChangeAuthor,
): Promise<CreditedWallet> {
  const id = newUuid(author.nowMs)
  const target = { kind: 'wallet', id: walletId }
  const details = { transactionId: id, amount: usdJson(amount), note }
  const entry = platformEntry(author, { action: 'wallet.write_off', target, details })
  const transfers = writeOffTransfers(amount)
  const booked = await wallets.credit({ id, walletId, transfers, note, entry, request, isDebtOnly: true })
  if (booked === 'key_reused') throw keyReused()
  if (booked === 'too_much' || booked === null) {
    const message = `The wallet balance is ${formatUsd(balance)} USD. You can write off at most what it owes.`
    throw new GatewayError('conflict', { message })
  }
  await announce({ walletId })
  return booked
}
