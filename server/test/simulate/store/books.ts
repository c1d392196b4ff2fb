/** All stored data about money, in one form for the model and for Postgres. */
export interface Books {
  readonly wallets: ReadonlyMap<string, WalletRow>
  readonly holds: ReadonlyMap<string, HoldRow>
  /** Keyed by kind, owner and start. */
  readonly windows: ReadonlyMap<string, WindowRow>
  readonly generations: ReadonlyMap<string, GenerationRow>
  readonly charges: readonly ChargeRow[]
  /** What was paid into the balance of each customer, less what was taken back. Keyed like windows. */
  readonly paidIn: ReadonlyMap<string, bigint>
  /** Holds that were not settled in time. */
  readonly lapsed: ReadonlySet<string>
}

export interface WalletRow {
  balance: bigint
  held: bigint
  /** The part of what is held that is in balances of customers. */
  aside: bigint
  credited: bigint
  charged: bigint
  readonly creditLine: bigint
  /** Credit that new holds must not use. */
  readonly expired: bigint
}

export interface HoldRow {
  readonly walletId: string
  readonly keyId: string
  amount: bigint
  /** The hold's amount in breakers. */
  readonly estimate: bigint
  leaseUntilMs: number
  readonly windows: readonly string[]
}

export interface WindowRow {
  held: bigint
  spent: bigint
}

export interface GenerationRow {
  readonly walletId: string
  readonly keyId: string
  readonly cost: bigint
  /** The amount that could not be charged. */
  readonly absorbed: bigint
}

export interface ChargeRow {
  readonly id: string
  readonly walletId: string
  readonly amount: bigint
}

/** The data as lines in a fixed order, for comparison. */
export function linesOf(books: Books): string[] {
  const lines: string[] = []
  for (const [id, row] of books.wallets) {
    lines.push(
      `wallet ${id} ${row.balance} held ${row.held} aside ${row.aside} credited ${row.credited} charged ${row.charged}`,
    )
  }
  for (const [id, row] of books.holds) {
    const windows = row.windows.toSorted().join(', ')
    const amounts = `${row.amount} estimated ${row.estimate}`
    lines.push(`hold ${id} of ${row.walletId} ${row.keyId} ${amounts} until ${row.leaseUntilMs} in ${windows}`)
  }
  for (const [key, row] of books.windows) lines.push(`window ${key} held ${row.held} spent ${row.spent}`)
  for (const [id, row] of books.generations) {
    lines.push(`generation ${id} ${row.walletId} ${row.keyId} ${row.cost} absorbed ${row.absorbed}`)
  }
  for (const { id, walletId, amount } of books.charges) lines.push(`charge ${id} ${walletId} ${amount}`)
  for (const [key, amount] of books.paidIn) lines.push(`paid into ${key} ${amount}`)
  for (const id of books.lapsed) lines.push(`lapsed ${id}`)
  return lines.sort()
}
