import { grantTransfers, topUpTransfers } from '#domain/ledger/transfer.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import { quoteTopUp, type TopUpChannel, type TopUpQuote } from '#domain/money/quote-top-up.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { newUuid, type Uuid } from '#lib/uuid.ts'
import type { Announce } from '#ports/announce.ts'
import type { Wallets } from '#ports/wallets.ts'
import { readWallet } from './read-wallet.ts'

export interface CreditInput {
  /** A wallet's id, or its owner's id or mail address. */
  reference: string
  amount: NanoUsd
  /** A grant carries no fee: nobody paid. */
  source: TopUpChannel | 'grant'
  note: string | null
}

export interface CreditOutcome {
  transactionId: Uuid
  walletId: Uuid
  balance: NanoUsd
  /** Null for a grant. */
  quote: TopUpQuote | null
}

// One million dollars: a larger amount is a mistyped one, and far larger ones do not fit a bigint.
const creditMax = 1_000_000_000_000_000n

/** The wallet grows by the amount itself; fee and tax are transfers beside it. */
export async function creditWallet(
  deps: { wallets: Wallets; announce: Announce },
  input: CreditInput,
  nowMs: number,
): Promise<CreditOutcome> {
  const { amount, source, note } = input
  if (amount <= 0n || amount > creditMax) {
    throw new GatewayError('malformedRequest', { message: 'The amount must be above zero and at most 1000000 USD.' })
  }
  const wallet = await readWallet(deps.wallets, input.reference)
  const quote = source === 'grant' ? null : quoteTopUp(amount, source)
  const transfers = quote === null ? grantTransfers(amount) : topUpTransfers(quote)
  const id = newUuid(nowMs)
  const balance = await deps.wallets.credit({ id, walletId: wallet.id, transfers, note })
  if (balance === null) throw new GatewayError('notFound', { message: `There is no wallet of ${input.reference}.` })
  await deps.announce({ walletId: wallet.id })
  return { transactionId: id, walletId: wallet.id, balance, quote }
}
