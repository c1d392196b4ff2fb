/** The chargeable part of a cost: at most its hold and the free amount. The platform absorbs the rest. */
export function coveredCost({ cost, held, room }: { cost: bigint; held: bigint; room: bigint }): bigint {
  const payable = held + atLeastZero(room)
  return cost < payable ? cost : payable
}

/** Breakers limit spend: running requests may exceed them. All other limits are hard. */
export function isHardLimit(kind: string): boolean {
  return !kind.endsWith('_minute') && !kind.endsWith('_hour')
}

export function atLeastZero(amount: bigint): bigint {
  return amount > 0n ? amount : 0n
}
