import type { Call } from './pipeline/call.ts'
import type { Books } from './store/books.ts'
import { isHardLimit } from './store/charge-rule.ts'
import { wallets as people } from './people.ts'
import { keyOf, kindOf } from './store/model.ts'
import { readStatement, type SentStatement } from './store/statement.ts'
import type { Result } from './store/store.ts'

/**
 * The invariants after every statement and at the end, with the numbers of the drills. I6 (connections) and the bytes
 * of I7 are not about money; that a request is charged to its own wallet is.
 */
export class Invariants {
  readonly violations: string[] = []
  readonly #books: () => Books
  readonly #calls: ReadonlyMap<string, Call>
  readonly #mayLoseCommits: boolean
  readonly #isCalm: boolean
  readonly #limits = new Map<string, bigint>()
  #leasesBefore: ReadonlyMap<string, number> = new Map()

  constructor(world: {
    books: () => Books
    calls: ReadonlyMap<string, Call>
    mayLoseCommits: boolean
    isCalm: boolean
  }) {
    this.#books = world.books
    this.#calls = world.calls
    this.#mayLoseCommits = world.mayLoseCommits
    this.#isCalm = world.isCalm
  }

  executing(sent: SentStatement): void {
    const { holds } = this.#books()
    if (sent.name === 'sweep-holds') {
      this.#leasesBefore = new Map([...holds].map(([id, { leaseUntilMs }]) => [id, leaseUntilMs]))
    }
  }

  executed(sent: SentStatement, { rows }: Result, nowMs: number): void {
    const { holds } = this.#books()
    if (sent.name === 'sweep-holds') {
      for (const [id, leaseUntilMs] of this.#leasesBefore) {
        if (!holds.has(id) && leaseUntilMs >= nowMs)
          this.#find('I3', `the hold ${id} was swept before its lease was over`)
        if (holds.has(id) && leaseUntilMs < nowMs) this.#find('I3', `the hold ${id} outlived a sweep after its lease`)
      }
    }
    if (sent.name === 'place-hold' && rows[0]?.['granted_nano'] !== null && !holds.has(String(sent.values[0]))) {
      this.#find('I4', `the hold ${String(sent.values[0])} was granted and is not there`)
    }
    if (sent.name === 'place-holds-plain') {
      for (const { hold_id: id } of rows) {
        if (!holds.has(String(id))) this.#find('I4', `the hold ${String(id)} was granted and is not there`)
      }
    }
    if (sent.name === 'place-holds') {
      for (const { hold_id: id, refused_by: refusedBy } of rows) {
        if (refusedBy === null && !holds.has(String(id)))
          this.#find('I4', `the hold ${String(id)} was granted and is not there`)
      }
      this.#judgeBreakers(sent, rows)
    }
    this.judge()
  }

  /** Runs after every statement. */
  judge(): void {
    const books = this.#books()
    this.#judgeCharges(books)
    this.#judgeWallets(books)
    this.#judgeWindows(books)
    if (this.#isCalm && books.lapsed.size > 0) this.#find('I3', 'a hold lapsed although nothing failed')
  }

  /** Runs when everything is repaired and nothing is in progress. */
  judgeEnd(spooled: readonly string[]): void {
    const { holds, generations, lapsed } = this.#books()
    for (const id of holds.keys()) this.#find('I3', `the hold ${id} is still open`)
    for (const name of spooled) this.#find('I5', `the spool still has ${name}`)
    for (const call of this.#calls.values()) {
      const found = generations.get(call.id)
      if (call.end === 'shown') {
        if (found === undefined) this.#find('I2', `the client of ${call.id} was shown a cost that was never charged`)
        else if (!this.#isShown(call, found.cost, lapsed)) {
          this.#find('I2', `the client of ${call.id} was shown ${call.shownCost}, and ${found.cost} is in the books`)
        }
      }
      if (this.#isCalm && call.end === 'open') this.#find('I5', `the call ${call.id} has no outcome`)
    }
  }

  #isShown({ id, shownCost }: Call, cost: bigint, lapsed: ReadonlySet<string>): boolean {
    if (shownCost === null) return false
    // The final charge of a spooled settlement without its hold is not known yet: the limits may leave room for only
    // some of it.
    const mayBeCut = lapsed.has(id) || this.#mayLoseCommits
    return cost === shownCost || (mayBeCut && cost < shownCost)
  }

  /** A full breaker admits no hold: before the last admitted hold, the breaker was not full. */
  #judgeBreakers(sent: SentStatement, rows: Result['rows']): void {
    const statement = readStatement(sent)
    if (statement.do !== 'place' || statement.isRetry) return
    const { windows } = this.#books()
    const granted = new Set(rows.filter((row) => row['refused_by'] === null).map((row) => String(row['hold_id'])))
    const last = new Map<string, bigint>()
    for (const { id, windows: counted, estimate } of statement.requests) {
      if (!granted.has(id)) continue
      for (const window of counted) if (!isHardLimit(window.kind)) last.set(keyOf(window), estimate)
    }
    for (const [key, estimate] of last) {
      const { held = 0n, spent = 0n } = windows.get(key) ?? {}
      if (held + spent - estimate >= (this.#limitOf(key) ?? 0n)) this.#find('I8', `the breaker ${key} was full`)
    }
  }

  #judgeCharges({ charges, generations }: Books): void {
    const charged = new Map<string, bigint>()
    for (const { id, walletId, amount } of charges) {
      if (charged.has(id)) this.#find('I5', `the call ${id} was charged twice`)
      charged.set(id, amount)
      if (this.#calls.get(id)?.walletId !== walletId) this.#find('I7', `the call ${id} was charged to another wallet`)
    }
    for (const [id, { cost, absorbed, keyId }] of generations) {
      const call = this.#calls.get(id)
      if ((charged.get(id) ?? 0n) !== cost) this.#find('I2', `the ledger and the record of ${id} differ`)
      if (call?.keyId !== keyId) this.#find('I7', `the call ${id} was counted for another key`)
      if (call?.outcomeCost === null) this.#find('I5', `the call ${id} was settled before it had an outcome`)
      else if (call !== undefined && cost + absorbed !== call.outcomeCost) {
        this.#find('I5', `the call ${id} cost ${call.outcomeCost}, was charged ${cost}, and ${absorbed} was absorbed`)
      }
      if (call?.end === 'refused') this.#find('I5', `the call ${id} was refused and charged`)
    }
  }

  #judgeWallets({ wallets, holds, charges, windows }: Books): void {
    for (const [id, { balance, held, aside, credited, charged, creditLine }] of wallets) {
      let heldSum = 0n
      let chargedSum = 0n
      for (const hold of holds.values())
        if (hold.walletId === id && !hold.windows.some(isBalance)) heldSum += hold.amount
      const customer = customerOf(id)
      const balances = -(windows.get(`customer_balance ${customer} 0`)?.spent ?? 0n)
      if (aside !== balances)
        this.#find('I4', `the wallet ${id} set ${aside} aside for customers that have ${balances}`)
      for (const charge of charges) if (charge.walletId === id) chargedSum += charge.amount
      if (charged !== chargedSum)
        this.#find('I1', `the wallet ${id} says ${charged} was charged, the ledger ${chargedSum}`)
      if (balance !== credited - chargedSum)
        this.#find('I1', `the balance of ${id} is not what its transfers add up to`)
      if (held !== heldSum + aside)
        this.#find('I4', `the wallet ${id} says ${held} is held, its holds ${heldSum} and ${aside}`)
      if (balance + creditLine - held < 0n) this.#find('I8', `the wallet ${id} promised more than it has`)
    }
  }

  #judgeWindows({ windows, holds, generations, paidIn }: Books): void {
    for (const [key, { held, spent }] of windows) {
      let heldSum = 0n
      let spentSum = -(paidIn.get(key) ?? 0n)
      const isHard = isHardLimit(kindOf(key))
      for (const hold of holds.values()) {
        if (hold.windows.includes(key)) heldSum += isHard ? hold.amount : hold.estimate
      }
      for (const [id, { cost }] of generations)
        if (this.#calls.get(id)?.windows.includes(key) === true) spentSum += cost
      if (held !== heldSum) this.#find('I4', `the window ${key} says ${held} is held, its holds ${heldSum}`)
      if (spent !== spentSum) this.#find('I1', `the window ${key} says ${spent} was spent, its records ${spentSum}`)
      const limit = this.#limitOf(key)
      if (isHard && limit !== null && spent + held > limit) this.#find('I8', `the window ${key} is beyond its limit`)
    }
  }

  /** Limits do not change while a world runs. */
  #limitOf(key: string): bigint | null {
    const known = this.#limits.get(key)
    if (known !== undefined) return known
    for (const { limits } of this.#calls.values()) {
      const limit = limits.get(key)
      if (limit === undefined) continue
      this.#limits.set(key, limit)
      return limit
    }
    return null
  }

  #find(invariant: string, what: string): void {
    this.violations.push(`${invariant}: ${what}`)
  }
}

function isBalance(key: string): boolean {
  return kindOf(key) === 'customer_balance'
}

function customerOf(walletId: string): string | null {
  return people.find(({ id }) => id === walletId)?.customerId ?? null
}
