import { type NanoUsd, nanoUsd } from '#domain/money/nano-usd.ts'
import type { Minor } from './currency.ts'
import { nanoPerCent } from './quote-top-up.ts'
import { nearestShare } from './share-of.ts'
import type { TopUp, UsdAmounts } from './top-up.ts'

/** The booked amounts of a payment: as quoted, or in the same proportions if another amount was paid. */
export function bookedFor({ quoted, charged }: Pick<TopUp, 'quoted' | 'charged'>, paid: Minor): UsdAmounts {
  if (paid === charged.total) return quoted
  return splitCents(nearestShare(paid, { of: centsOf(quoted), per: charged.total }), quoted)
}

/** The portions of a booked payment that are gone after a refund: of credit, fee and tax, and beyond them. */
export interface Taken extends UsdAmounts {
  /**
   * The refunded amount beyond the paid amount, because the payer was refunded twice. The wallet's owner does not pay
   * for it.
   */
  readonly loss: NanoUsd
}

/**
 * Splits the refunded amount. The result depends on the sum alone and grows with it, so the order and size of the
 * refunds do not matter, and the parts add up to the cent.
 */
export function takenOf(booked: UsdAmounts, { paid, gone }: { paid: Minor; gone: bigint }): Taken {
  const total = centsOf(booked)
  const cents = nearestShare(gone, { of: total, per: paid })
  const covered = cents < total ? cents : total
  return { ...splitCents(covered, booked), loss: nanoUsd((cents - covered) * nanoPerCent) }
}

function splitCents(cents: bigint, booked: UsdAmounts): UsdAmounts {
  const { credit, fee, tax } = splitUnits(cents, booked)
  return {
    credit: nanoUsd(credit * nanoPerCent),
    fee: nanoUsd(fee * nanoPerCent),
    tax: nanoUsd(tax * nanoPerCent),
  }
}

interface Parts {
  readonly credit: bigint
  readonly fee: bigint
  readonly tax: bigint
}

/**
 * Whole units in the proportions of a payment. Credit is separated from the rest first, then fee from tax, each to the
 * nearest unit. Splitting by two keeps every part growing with the sum; splitting into three by largest remainders does
 * not (the Alabama paradox).
 */
export function splitUnits(units: bigint, { credit, fee, tax }: Parts): Parts {
  const creditUnits = nearestShare(units, { of: credit, per: credit + fee + tax })
  const rest = units - creditUnits
  const feeUnits = nearestShare(rest, { of: fee, per: fee + tax })
  return { credit: creditUnits, fee: feeUnits, tax: rest - feeUnits }
}

function centsOf({ credit, fee, tax }: UsdAmounts): bigint {
  return (credit + fee + tax) / nanoPerCent
}
