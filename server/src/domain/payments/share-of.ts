interface Ratio {
  readonly of: bigint
  readonly per: bigint
}

/**
 * `amount × of / per`, a half rounded up. It grows with the amount, and is `of` where the amount is `per`. Of nothing
 * it is nothing.
 */
export function nearestShare(amount: bigint, { of, per }: Ratio): bigint {
  return of === 0n ? 0n : (2n * amount * of + per) / (2n * per)
}

/** The same, rounded up. */
export function shareRoundedUp(amount: bigint, { of, per }: Ratio): bigint {
  return (amount * of + per - 1n) / per
}
