interface Ratio {
  readonly of: bigint
  readonly per: bigint
}

/**
 * `amount × of / per`, rounded half up. It grows with the amount, and is `of` if the amount is `per`. A share of zero
 * is zero.
 */
export function nearestShare(amount: bigint, { of, per }: Ratio): bigint {
  return of === 0n ? 0n : (2n * amount * of + per) / (2n * per)
}

/** The same, rounded up. */
export function shareRoundedUp(amount: bigint, { of, per }: Ratio): bigint {
  return (amount * of + per - 1n) / per
}
