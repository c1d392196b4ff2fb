import type { Random } from '#test/drills/setup/random.ts'
import { MoneyModel } from './model.ts'
import { readStatement, type SentStatement } from './statement.ts'
import type { BalanceMove, NewWallet, Result, Store } from './store.ts'

/** The model behind the statements that the gateway sends to Postgres. */
export class ModelStore implements Store {
  readonly books = new MoneyModel()
  /** The state before each commit that is not on disk yet. */
  #unsynced: MoneyModel[] = []
  readonly #mayCrash: boolean

  constructor(options: { mayCrash: boolean }) {
    this.#mayCrash = options.mayCrash
  }

  execute(sent: SentStatement, { nowMs, isDurable }: { nowMs: number; isDurable: boolean }): Result {
    const before = this.#mayCrash && !isDurable ? this.books.copy() : null
    const rows = this.#rowsOf(sent, nowMs)
    // A synced commit also brings all earlier ones to disk.
    if (isDurable) this.#unsynced = []
    else if (before !== null) this.#unsynced.push(before)
    return { rows }
  }

  addWallet({ id, creditLine, expired }: NewWallet): void {
    this.books.addWallet(id, { creditLine, expired })
  }

  credit({ walletId, amount }: { walletId: string; amount: bigint }): void {
    this.books.credit(walletId, amount)
    this.#unsynced = []
  }

  move(move: BalanceMove): void {
    this.books.move(move)
    this.#unsynced = []
  }

  crash(random: Random): void {
    const kept = random.integer(0, this.#unsynced.length)
    const found = this.#unsynced[kept]
    if (found !== undefined) this.books.restore(found)
    this.#unsynced = []
  }

  audit(): string[] {
    return []
  }

  #rowsOf(sent: SentStatement, nowMs: number): Result['rows'] {
    const { books } = this
    const statement = readStatement(sent)
    switch (statement.do) {
      case 'place':
        return books.place(statement.requests, { ...statement, nowMs }).map((verdict, position) => ({
          hold_id: statement.requests[position]?.id,
          refused_by: verdict.refusedBy,
          room_nano: verdict.room?.toString() ?? null,
          granted_nano: verdict.granted?.toString() ?? null,
        }))
      case 'place alone': {
        const [placed] = books.place([statement.request], { leaseMs: statement.leaseMs, isRetry: false, nowMs })
        return [{ granted_nano: placed?.granted?.toString() ?? null, room_nano: placed?.room?.toString() ?? null }]
      }
      case 'place plain':
        return books
          .placePlain(statement.requests, { leaseMs: statement.leaseMs, nowMs })
          .map(({ id, room, granted }) => ({
            hold_id: id,
            room_nano: room?.toString() ?? null,
            granted_nano: granted?.toString() ?? null,
          }))
      case 'extend': {
        const extended = books.extend(statement.request, { leaseMs: statement.leaseMs, nowMs })
        return extended === null ? [] : [{ total_nano: extended.total.toString(), refused_by: extended.refusedBy }]
      }
      case 'renew':
        books.renew(statement.ids, nowMs + statement.leaseMs)
        return []
      case 'lapse':
        books.lapse(statement.ids, nowMs)
        return []
      case 'settle':
        return books.settle(statement.settles).map(({ cost, absorbed }, position) => ({
          generation_id: statement.settles[position]?.id,
          charged_nano: cost.toString(),
          absorbed_nano: absorbed.toString(),
        }))
      case 'settle alone':
        return [{ settled: books.settleAlone(statement.settle) }]
      case 'settle plain':
        return books.settlePlain(statement.settles).map((id) => ({ id }))
      case 'sweep':
        return [{ swept: books.sweep(statement.atMost, nowMs) }]
    }
  }
}
