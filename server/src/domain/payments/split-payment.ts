import { type NanoUsd, nanoUsd } from '#domain/money/nano-usd.ts'
import type { Minor } from './currency.ts'
import { nanoPerCent } from './quote-top-up.ts'
import { nearestShare } from './share-of.ts'
import type { TopUp, UsdAmounts } from './top-up.ts'

/** What a payment is booked as: as quoted, or in the same proportions where another amount was paid. */
export function bookedFor({ quoted, charged }: Pick<TopUp, 'quoted' | 'charged'>, paid: Minor): UsdAmounts {
  if (paid === charged.total) return quoted
  return splitCents(nearestShare(paid, { of: centsOf(quoted), per: charged.total }), quoted)
}

/** How much of a booked payment is gone once so much of it went back: from credit, fee and tax, and beyond them. */
export interface Taken extends UsdAmounts {
  /** More than was paid, because the payer got it back twice. The owner of the wallet does not pay for that. */
  readonly loss: NanoUsd
}

/**
 * Shares of what went back. The result depends on the sum alone and grows with it, so it does not matter in which parts
 * it went back, and the parts add up to the cent.
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
 * nearest unit. Splitting by two keeps every part growing with the sum; three parts by largest remainders do not (the
 * Alabama paradox).
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
