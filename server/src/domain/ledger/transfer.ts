import { type NanoUsd, nanoUsd } from '#domain/money/nano-usd.ts'
import type { TopUpQuote } from '#domain/payments/quote-top-up.ts'
import { assert } from '#lib/assert.ts'

/**
 * `wallet` and `customers` are the owner's side, and their sum is the balance of the wallet: `customers` is the part
 * that is in the balances of the owner's customers. The others are the service's side of the same wallet. `disputed` is
 * money that a provider holds until a dispute is decided, `losses` are costs of the service, and `processor` are fees
 * that providers keep.
 */
export type LedgerAccount =
  | 'cash'
  | 'wallet'
  | 'customers'
  | 'usage'
  | 'fees'
  | 'tax'
  | 'grants'
  | 'disputed'
  | 'losses'
  | 'processor'

/** In statement order. */
export const transferKinds = [
  'charge',
  'top_up',
  'grant',
  'redemption',
  'grant_expired',
  'correction',
  'refund',
  'dispute',
  'dispute_won',
  'dispute_lost',
  'write_off',
  'customer_transfer',
  'fee',
  'tax',
  'processor_fee',
] as const
export type TransferKind = (typeof transferKinds)[number]

/** The kinds that owners can see. A provider's payment fee is the operator's cost, so owners do not see it. */
export const ownerKinds = transferKinds.filter((kind): kind is OwnerKind => kind !== 'processor_fee')
export type OwnerKind = Exclude<TransferKind, 'processor_fee'>

/** One move from the debited to the credited account. Both sides have the same amount, so the sum is always zero. */
export interface Transfer {
  readonly kind: TransferKind
  readonly debit: LedgerAccount
  readonly credit: LedgerAccount
  readonly amount: NanoUsd
}

/** The amount by which a transfer changes the balance of the wallet. */
export function balanceChangeOf({ debit, credit, amount }: Omit<Transfer, 'kind'>): NanoUsd {
  return nanoUsd((isOwners(credit) ? amount : 0n) - (isOwners(debit) ? amount : 0n))
}

function isOwners(account: LedgerAccount): boolean {
  return account === 'wallet' || account === 'customers'
}

/** Each line of a top-up is paid in cash; only the credit reaches the wallet. */
export function topUpTransfers({ lines }: Pick<TopUpQuote, 'lines'>): Transfer[] {
  return lines.map(({ item, amount }): Transfer => {
    assert(amount > 0n, 'a transfer moves something')
    switch (item) {
      case 'credit':
        return { kind: 'top_up', debit: 'cash', credit: 'wallet', amount }
      case 'fee':
        return { kind: 'fee', debit: 'cash', credit: 'fees', amount }
      case 'tax':
        return { kind: 'tax', debit: 'cash', credit: 'tax', amount }
    }
  })
}

/** Credit that was not paid for. */
export function grantTransfers(amount: NanoUsd): Transfer[] {
  assert(amount > 0n, 'a transfer moves something')
  return [{ kind: 'grant', debit: 'grants', credit: 'wallet', amount }]
}

/** The amount that a transaction of grants credits to the wallet. Only grants may expire. */
export function grantedBy(transfers: readonly Transfer[]): NanoUsd {
  assert(
    transfers.every(({ debit, credit }) => debit === 'grants' && credit === 'wallet'),
    'only what was not paid for expires',
  )
  return nanoUsd(transfers.reduce((sum, { amount }) => sum + amount, 0n))
}

/** Credit from a code. */
export function redemptionTransfers(amount: NanoUsd): Transfer[] {
  assert(amount > 0n, 'a transfer moves something')
  return [{ kind: 'redemption', debit: 'grants', credit: 'wallet', amount }]
}

/** Granted credit that expired. */
export function expiryTransfers(amount: NanoUsd): Transfer[] {
  assert(amount > 0n, 'a transfer moves something')
  return [{ kind: 'grant_expired', debit: 'wallet', credit: 'grants', amount }]
}

/** Writes off an owner's debt. */
export function writeOffTransfers(amount: NanoUsd): Transfer[] {
  assert(amount > 0n, 'a transfer moves something')
  return [{ kind: 'write_off', debit: 'losses', credit: 'wallet', amount }]
}
