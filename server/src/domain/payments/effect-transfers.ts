import { type LedgerAccount, topUpTransfers, type Transfer, type TransferKind } from '#domain/ledger/transfer.ts'
import { type NanoUsd, nanoUsd, zeroUsd } from '#domain/money/nano-usd.ts'
import { unreachable } from '#lib/unreachable.ts'
import type { EffectKind } from './payment-effect.ts'
import { nanoPerCent } from './quote-top-up.ts'
import { nearestShare } from './share-of.ts'
import { type Taken, takenOf } from './split-payment.ts'
import type { PaymentSums, UsdAmounts } from './top-up.ts'

export interface Step {
  readonly before: PaymentSums
  readonly after: PaymentSums
  readonly booked: UsdAmounts
  /** The order's amount in the account `disputed` before the step. */
  readonly disputed: NanoUsd
}

interface BookedStep {
  readonly transfers: readonly Transfer[]
  readonly disputed: NanoUsd
}

/** The transfers of one effect, which sum to the provider's amounts. */
export function transfersOf(kind: EffectKind, step: Step): BookedStep {
  switch (kind) {
    case 'payment':
      return { transfers: paymentTransfers(step.booked), disputed: step.disputed }
    case 'refund':
    case 'refund_returned':
      return { transfers: moveTaken('refund', step, 'cash'), disputed: step.disputed }
    case 'dispute':
      return settleDisputed(step, moveTaken('dispute', step, 'disputed'), 'dispute')
    case 'dispute_won':
      return settleDisputed(step, moveTaken('dispute_won', step, 'disputed'), 'dispute_won')
    case 'dispute_lost':
      return settleDisputed(step, loseDisputed(step), 'dispute_lost')
    case 'processor_fee':
      return { transfers: feeTransfers(step, 'processorFee'), disputed: step.disputed }
    case 'processor_fee_returned':
      return { transfers: feeTransfers(step, 'processorFeeReturned').map(reversed), disputed: step.disputed }
    default:
      return unreachable(kind)
  }
}

function paymentTransfers({ credit, fee, tax }: UsdAmounts): Transfer[] {
  const lines = [
    { item: 'credit' as const, amount: credit, percent: null },
    { item: 'fee' as const, amount: fee, percent: null },
    { item: 'tax' as const, amount: tax, percent: null },
  ]
  return topUpTransfers({ lines: lines.filter(({ amount }) => amount > 0n) })
}

const accountOf = { credit: 'wallet', fee: 'fees', tax: 'tax', loss: 'losses' } as const satisfies Record<
  keyof Taken,
  LedgerAccount
>
const parts = ['credit', 'fee', 'tax', 'loss'] as const satisfies readonly (keyof Taken)[]

/** The amounts that a step takes from wallet, fees and tax, or returns to them. */
function moveTaken(kind: TransferKind, { before, after, booked }: Step, other: 'cash' | 'disputed'): Transfer[] {
  const { paid } = after
  const old = takenOf(booked, { paid, gone: goneOf(before) })
  const now = takenOf(booked, { paid, gone: goneOf(after) })
  return parts.flatMap((part): Transfer[] => {
    const more = now[part] - old[part]
    const account = accountOf[part]
    if (more > 0n) return [{ kind, debit: account, credit: other, amount: nanoUsd(more) }]
    return more < 0n ? [{ kind, debit: other, credit: account, amount: nanoUsd(-more) }] : []
  })
}

/** The portion of a payment that is gone. */
function goneOf({ refunded, returned, withdrawn, reinstated }: PaymentSums): bigint {
  return refunded - returned + withdrawn - reinstated
}

/** A lost amount leaves the account `disputed`. */
function loseDisputed({ before, after, booked, disputed }: Step): Transfer[] {
  const total = (booked.credit + booked.fee + booked.tax) / nanoPerCent
  const cents = (lost: bigint): bigint => nearestShare(lost, { of: total, per: after.paid })
  const amount = (cents(after.lost) - cents(before.lost)) * nanoPerCent
  const most = amount < disputed ? amount : disputed
  return most > 0n ? [{ kind: 'dispute_lost', debit: 'disputed', credit: 'cash', amount: nanoUsd(most) }] : []
}

/**
 * Tracks the account `disputed`. It is empty once no dispute is open: cents that rounding between two currencies left
 * there are a loss or a gain.
 */
function settleDisputed({ after, disputed }: Step, transfers: readonly Transfer[], kind: TransferKind): BookedStep {
  const left = disputed + sumOn(transfers)
  if (after.withdrawn > after.reinstated + after.lost || left === 0n) return { transfers, disputed: nanoUsd(left) }
  const amount = nanoUsd(left > 0n ? left : -left)
  const rest: Transfer =
    left > 0n
      ? { kind, debit: 'disputed', credit: 'losses', amount }
      : { kind, debit: 'losses', credit: 'disputed', amount }
  return { transfers: [...transfers, rest], disputed: zeroUsd }
}

function sumOn(transfers: readonly Transfer[]): bigint {
  return transfers.reduce((sum, { debit, credit, amount }) => {
    if (credit === 'disputed') return sum + amount
    return debit === 'disputed' ? sum - amount : sum
  }, 0n)
}

function feeTransfers({ before, after }: Step, sum: 'processorFee' | 'processorFeeReturned'): Transfer[] {
  const amount = nanoUsd((after[sum] - before[sum]) * nanoPerCent)
  return [{ kind: 'processor_fee', debit: 'processor', credit: 'cash', amount }]
}

function reversed(transfer: Transfer): Transfer {
  return { ...transfer, debit: transfer.credit, credit: transfer.debit }
}
