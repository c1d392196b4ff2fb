import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { Uuid } from '#lib/uuid.ts'

/** What moves in a wallet while requests run. */
export interface WalletMark {
  readonly balance: NanoUsd
  readonly held: NanoUsd
  readonly creditLine: NanoUsd
  readonly charged: NanoUsd
  /** Rejected requests of this UTC hour and the one before. */
  readonly refused: number
}

export interface WalletMarks {
  /** Wallets that do not exist are left out. */
  read(walletIds: readonly Uuid[]): Promise<ReadonlyMap<Uuid, WalletMark>>
}
