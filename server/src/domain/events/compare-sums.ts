/** The sums of a metering system and of the ledger for one customer, in billionths of a dollar. */
export interface ComparedSum {
  readonly customer: string
  readonly ours: bigint
  readonly theirs: bigint
}

/** The customers whose sums differ, by id. */
export function differingSums(
  ours: ReadonlyMap<string, bigint>,
  theirs: ReadonlyMap<string, bigint>,
): readonly ComparedSum[] {
  return [...new Set([...ours.keys(), ...theirs.keys()])]
    .toSorted()
    .map((customer) => ({ customer, ours: ours.get(customer) ?? 0n, theirs: theirs.get(customer) ?? 0n }))
    .filter((sum) => sum.ours !== sum.theirs)
}
