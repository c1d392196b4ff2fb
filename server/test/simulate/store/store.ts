import type { Random } from '#test/drills/setup/random.ts'
import type { Books } from './books.ts'
import type { SentStatement } from './statement.ts'

export interface Result {
  readonly rows: readonly Readonly<Record<string, unknown>>[]
}

/** Executes statements one after another, each as a transaction. Only a real store takes real time. */
export interface Store {
  /** `isDurable`: the commit is on disk when it is confirmed; otherwise a crash of the store may lose it. */
  execute(sent: SentStatement, terms: { nowMs: number; isDurable: boolean }): Result | Promise<Result>
  addWallet(wallet: NewWallet): void | Promise<void>
  credit(credit: { id: string; walletId: string; amount: bigint }): void | Promise<void>
  /** Moves money to the balance of a wallet's customer; a negative amount goes back. */
  move(move: BalanceMove): void | Promise<void>
  /** The store's machine crashes: the latest unsynced commits are lost. */
  crash(random: Random): void | Promise<void>
  readonly books: Books
  /** The final check, when nothing is in progress; returns the problems. */
  audit(nowMs: number): string[] | Promise<string[]>
}

export interface NewWallet {
  readonly id: string
  readonly ownerId: string
  readonly ownerKind: 'user' | 'organization'
  readonly creditLine: bigint
  /** Expired credit that holds still reserve. New holds must not use it. */
  readonly expired: bigint
  readonly customerId: string | null
}

export interface BalanceMove {
  /** Id of the ledger transaction. */
  readonly id: string
  readonly walletId: string
  readonly customerId: string
  readonly amount: bigint
}
