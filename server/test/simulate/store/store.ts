import type { Random } from '#test/drills/setup/random.ts'
import type { Books } from './books.ts'
import type { SentStatement } from './statement.ts'

export interface Result {
  readonly rows: readonly Readonly<Record<string, unknown>>[]
}

/** Where statements are carried out, one after another, each a transaction. Only a real store takes real time. */
export interface Store {
  /** `isDurable`: the commit is on disk when it is answered; otherwise a crash of the store may take it back. */
  execute(sent: SentStatement, terms: { nowMs: number; isDurable: boolean }): Result | Promise<Result>
  addWallet(wallet: NewWallet): void | Promise<void>
  credit(credit: { id: string; walletId: string; amount: bigint }): void | Promise<void>
  /** The store's machine crashes: the latest commits that were not synced are lost. */
  crash(random: Random): void | Promise<void>
  readonly books: Books
  /** The last check, when nothing is under way any more; answers what is wrong. */
  audit(nowMs: number): string[] | Promise<string[]>
}

export interface NewWallet {
  readonly id: string
  readonly ownerId: string
  readonly ownerKind: 'user' | 'organization'
  readonly creditLine: bigint
  /** Of its credit, what has expired and is held: no new hold may count on it. */
  readonly expired: bigint
}
