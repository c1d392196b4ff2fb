import { type AuditEntry, platformChain } from '#domain/audit/audit-entry.ts'
import { grantTransfers, topUpTransfers } from '#domain/ledger/transfer.ts'
import { type NanoUsd, usdJson } from '#domain/money/nano-usd.ts'
import {
  isWholeCents,
  quoteTopUp,
  type TopUpChannel,
  type TopUpQuote,
  type TopUpTerms,
} from '#domain/payments/quote-top-up.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { malformed } from '#errors/malformed.ts'
import { newUuid, type Uuid } from '#lib/uuid.ts'
import type { Announce } from '#ports/announce.ts'
import type { ChangeAuthor } from '#ports/keys.ts'
import type { IdempotentRequest } from '#ports/idempotency.ts'
import type { Wallet, Wallets } from '#ports/ledger.ts'

interface CreditInput {
  /** A wallet id, an owner id, a user's email address or an organization's slug. */
  reference: string
  amount: NanoUsd
  /** A grant has no fee, because it was not paid. */
  source: PaidSource | 'grant'
  note: string | null
  /** Expiry of a grant. Null or missing means that it does not expire. */
  expiresAtMs?: number | null
  /** A repeated request is booked once. */
  request?: IdempotentRequest | null
}

/** The payment channel, and the fees on top of the credit. */
export interface PaidSource {
  channel: TopUpChannel
  terms: TopUpTerms
}

interface CreditOutcome {
  transactionId: Uuid
  walletId: Uuid
  balance: NanoUsd
  /** Null for a grant. */
  quote: TopUpQuote | null
}

/** One million dollars. A larger amount is likely a typo, and much larger ones do not fit a bigint. */
export const creditMax = 1_000_000_000_000_000n

/** Credits a wallet by the amount; fee and tax are separate transfers. */
export async function creditWallet(
  deps: { wallets: Wallets; announce: Announce },
  input: CreditInput,
  author: ChangeAuthor,
): Promise<CreditOutcome> {
  const { amount, source, note, expiresAtMs = null } = input
  if (amount <= 0n || amount > creditMax) {
    throw malformed('The amount must be greater than zero and at most 1000000 USD.')
  }
  if (source !== 'grant' && !isWholeCents(amount)) throw malformed('Paid credit must be in whole cents.')
  assertEnd(input, author.nowMs)
  const wallet = await readWallet(deps.wallets, input.reference)
  const quote = source === 'grant' ? null : quoteTopUp(amount, source.channel, source.terms)
  const transfers = quote === null ? grantTransfers(amount) : topUpTransfers(quote)
  const id = newUuid(author.nowMs)
  const entry = entryFor(wallet, id, input, author)
  const { request = null } = input
  const credited = await deps.wallets.credit({ id, walletId: wallet.id, transfers, note, entry, expiresAtMs, request })
  if (credited === 'key_reused') throw keyReused()
  if (credited === null || credited === 'too_much') throw noWallet(input.reference)
  await deps.announce({ walletId: wallet.id })
  return { transactionId: credited.id, walletId: wallet.id, balance: credited.balance, quote }
}

function assertEnd({ source, expiresAtMs = null }: CreditInput, nowMs: number): void {
  if (expiresAtMs === null) return
  if (source !== 'grant') throw malformed('Only a grant can expire.')
  if (expiresAtMs <= nowMs) throw malformed('The expiry of a grant must be in the future.')
}

/** Credits of an organization are in its audit log; those of a person are in the platform's. */
export function chainOf({ ownerKind, ownerId }: Pick<Wallet, 'ownerKind' | 'ownerId'>): AuditEntry['chainId'] {
  return ownerKind === 'organization' ? ownerId : platformChain
}

function entryFor(
  wallet: Wallet,
  transactionId: Uuid,
  { amount, source, note, expiresAtMs = null }: CreditInput,
  { actor, requestId }: ChangeAuthor,
): AuditEntry {
  return {
    chainId: chainOf(wallet),
    actor,
    requestId,
    action: wallet.ownerKind === 'organization' ? 'org.credit' : 'user.credit',
    target: { kind: 'wallet', id: wallet.id },
    details: {
      transactionId,
      amount: usdJson(amount),
      source: source === 'grant' ? source : source.channel,
      note,
      ...(expiresAtMs === null ? {} : { expiresAt: new Date(expiresAtMs).toISOString() }),
    },
  }
}

/** Finds a wallet by its id, its owner's id, a user's email address or an organization's slug. */
export async function readWallet(wallets: Wallets, reference: string): Promise<Wallet> {
  const wallet = await wallets.find(reference)
  if (wallet === null) throw noWallet(reference)
  return wallet
}

function noWallet(reference: string): GatewayError {
  return new GatewayError('notFound', { message: `No wallet found for ${reference}.` })
}

export function keyReused(): GatewayError {
  return new GatewayError('conflict', { message: 'This Idempotency-Key was already used with a different request.' })
}
