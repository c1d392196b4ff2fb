import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { Uuid } from '#lib/uuid.ts'

/** What sums of usage are about: the wallet that paid, and its keys by name. */
export interface UsageSubjects {
  readWallet(walletId: Uuid): Promise<{ readonly balance: NanoUsd; readonly createdAtMs: number }>
  /** Deleted keys keep their names. Those that this wallet never had are absent. */
  readKeyNames(query: { walletId: Uuid; keyIds: readonly Uuid[] }): Promise<ReadonlyMap<Uuid, string>>
}
