/** What can be charged of a cost: at most its hold and what is free beside it. The platform bears the rest. */
export function coveredCost({ cost, held, room }: { cost: bigint; held: bigint; room: bigint }): bigint {
  const payable = held + atLeastZero(room)
  return cost < payable ? cost : payable
}

/** Breakers speak of spend: what was running may pass them. All other limits are hard. */
export function isHardLimit(kind: string): boolean {
  return !kind.endsWith('_minute') && !kind.endsWith('_hour')
}

export function atLeastZero(amount: bigint): bigint {
  return amount > 0n ? amount : 0n
}
