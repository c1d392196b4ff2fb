import type { LimitedWindow } from '#domain/limits/scopes.ts'
import { zeroUsd } from '#domain/money/nano-usd.ts'
import type { ExtendRequest, HoldRequest } from '#ports/money.ts'
import type { Books, ChargeRow, GenerationRow, HoldRow, WalletRow, WindowRow } from './books.ts'
import { atLeastZero, coveredCost, isHardLimit } from './charge-rule.ts'
import type { SettleRequest } from './statement.ts'
import type { BalanceMove } from './store.ts'

interface CountedGeneration extends GenerationRow {
  readonly windows: readonly string[]
}

type PlaceRequest = Required<HoldRequest>
type Settled = Pick<GenerationRow, 'cost' | 'absorbed'>

/** The result of `place_holds`: `room` is also set for granted holds that wanted more. */
interface Placed {
  readonly refusedBy: string | null
  readonly room: bigint | null
  readonly granted: bigint | null
}

interface Extended {
  readonly total: bigint
  readonly refusedBy: string | null
}

/**
 * The behaviour of the Postgres money functions, restated as plainly as possible: one request after another, without
 * sets. It shares no code with the SQL. Each call is a transaction: it throws before it changes anything.
 */
export class MoneyModel implements Books {
  wallets = new Map<string, WalletRow>()
  holds = new Map<string, HoldRow>()
  windows = new Map<string, WindowRow>()
  generations = new Map<string, CountedGeneration>()
  charges: ChargeRow[] = []
  paidIn = new Map<string, bigint>()
  lapsed = new Set<string>()

  addWallet(id: string, terms: Pick<WalletRow, 'creditLine' | 'expired'>): void {
    this.wallets.set(id, { balance: 0n, held: 0n, aside: 0n, credited: 0n, charged: 0n, ...terms })
  }

  credit(id: string, amount: bigint): void {
    const wallet = this.#wallet(id)
    wallet.balance += amount
    wallet.credited += amount
  }

  /** Sets money of the wallet aside for a customer, or takes it back, if all of it is free. */
  move({ walletId, customerId, amount }: BalanceMove): void {
    const window = { kind: 'customer_balance', ownerId: customerId, startsAtMs: 0, limit: zeroUsd }
    const key = keyOf(window)
    const row = this.#open(key)
    if (amount < 0n ? this.#windowRoom(window) < -amount : this.#walletRoom(walletId) < amount) return
    row.spent -= amount
    const wallet = this.#wallet(walletId)
    wallet.held += amount
    wallet.aside += amount
    this.paidIn.set(key, (this.paidIn.get(key) ?? 0n) + amount)
  }

  /**
   * All or none for each hold, in order. A retried hold that already exists counts as granted. Growth is only granted
   * if everything in the batch fits.
   */
  place(requests: readonly PlaceRequest[], terms: { leaseMs: number; isRetry: boolean; nowMs: number }): Placed[] {
    const clashes = new Set(requests.filter(({ id }) => this.holds.has(id)).map(({ id }) => id))
    const before = this.copy()
    const isThere = ({ id }: PlaceRequest): boolean => terms.isRetry && clashes.has(id)
    const asking = requests.filter((request) => !isThere(request))
    for (const { windows } of asking) for (const window of windows) this.#open(keyOf(window))
    const opened = this.copy()
    return requests.map((request) => {
      const { id, walletId, keyId, estimate } = request
      if (isThere(request)) return { refusedBy: null, room: null, granted: this.holds.get(id)?.amount ?? null }
      const short = this.#shortOf(request)
      if (short !== null) return short
      if (clashes.has(id)) {
        this.restore(before)
        throw Object.assign(new Error(`the hold ${id} is there already`), { code: '23505' })
      }
      const isRoomy = opened.#isRoomy(request, { requests, asking })
      const { more, room } = isRoomy ? opened.#growthOf(request, asking) : { more: 0n, room: 0n }
      const amount = request.amount + more
      const windows = request.windows.map(keyOf)
      const hold = { walletId, keyId, amount, estimate, leaseUntilMs: terms.nowMs + terms.leaseMs, windows }
      this.holds.set(id, hold)
      this.#addHeld(hold, { amount, estimate })
      return { refusedBy: null, room, granted: amount }
    })
  }

  /** Places the holds of wallets that have room for all that is requested of them; leaves the others. */
  placePlain(
    requests: readonly PlaceRequest[],
    terms: { leaseMs: number; nowMs: number },
  ): (Placed & { readonly id: string })[] {
    const fitting = requests.filter(({ walletId }) => {
      const asked = requests.filter((other) => other.walletId === walletId)
      const wallet = this.wallets.get(walletId)
      const total = asked.reduce((sum, { amount }) => sum + amount, 0n)
      if (wallet === undefined || wallet.balance + wallet.creditLine - wallet.expired <= 0n) return false
      return this.#walletRoom(walletId) >= total
    })
    const placed = this.place(fitting, { ...terms, isRetry: false })
    return fitting.flatMap(({ id }, position) => {
      const verdict = placed[position]
      return verdict === undefined ? [] : [{ id, ...verdict }]
    })
  }

  /** Raises an open hold towards a total, as far as wallet and windows have room. */
  extend({ id, total, windows }: ExtendRequest, terms: { leaseMs: number; nowMs: number }): Extended | null {
    const hold = this.holds.get(id)
    if (hold === undefined) return null
    const more = atLeastZero(total - hold.amount)
    const rooms = [{ scope: 'wallet', room: this.#walletRoom(hold.walletId) }]
    // Beyond what the wallet has set aside there is nothing to take, and nothing to lack unless that is gone.
    if (hold.windows.some((key) => isBalance(kindOf(key))) && this.#walletRoom(hold.walletId) >= 0n) rooms.pop()
    for (const window of windows) {
      const room = this.#windowRoom(window)
      if (isHardLimit(window.kind)) rooms.push({ scope: window.kind, room })
      else if (room + hold.estimate <= 0n) rooms.push({ scope: window.kind, room: 0n })
    }
    const [short] = rooms.filter(({ room }) => room < more).sort(byRoom)
    const taken = short === undefined ? more : atLeastZero(short.room)
    if (taken > 0n) {
      hold.amount += taken
      hold.leaseUntilMs = Math.max(hold.leaseUntilMs, terms.nowMs + terms.leaseMs)
      this.#addHeld(hold, { amount: taken, estimate: 0n })
    }
    return { total: hold.amount, refusedBy: short?.scope ?? null }
  }

  renew(ids: readonly string[], untilMs: number): void {
    for (const id of ids) {
      const hold = this.holds.get(id)
      if (hold !== undefined) hold.leaseUntilMs = Math.max(hold.leaseUntilMs, untilMs)
    }
  }

  lapse(ids: readonly string[], nowMs: number): void {
    for (const id of ids) {
      const hold = this.holds.get(id)
      if (hold !== undefined) hold.leaseUntilMs = nowMs
    }
  }

  /**
   * Charges each generation once and ends its hold; returns the stored result. Missing amounts are taken while all
   * holds of the batch are still open.
   */
  settle(settles: readonly SettleRequest[]): Settled[] {
    for (const { windows } of settles) for (const window of windows) this.#open(keyOf(window))
    const costs = settles.map((settle) => this.#cover(settle))
    for (const { id } of settles) this.#close(id)
    return settles.map(({ id, walletId, keyId, cost, absorbed, windows }, position) => {
      const settled = this.generations.get(id)
      if (settled !== undefined) return settled
      const charged = costs[position] ?? 0n
      const row = { walletId, keyId, cost: charged, absorbed: absorbed + cost - charged, windows: windows.map(keyOf) }
      this.generations.set(id, row)
      if (charged > 0n) this.charges.push({ id, walletId, amount: charged })
      const wallet = this.#wallet(walletId)
      wallet.balance -= charged
      wallet.charged += charged
      if (isPrepaid({ windows })) {
        wallet.held -= charged
        wallet.aside -= charged
      }
      for (const window of windows) this.#open(keyOf(window)).spent += charged
      return row
    })
  }

  /**
   * Settles a generation whose hold exists, covers it and has no windows; otherwise returns false. Fails if it is
   * settled already.
   */
  settleAlone(settle: SettleRequest): boolean {
    const hold = this.holds.get(settle.id)
    if (hold === undefined || hold.amount < settle.cost || hold.windows.length > 0) return false
    if (this.generations.has(settle.id)) {
      throw Object.assign(new Error(`${settle.id} is settled already`), { code: '23505' })
    }
    this.settle([settle])
    return true
  }

  /** Settles those that `settleAlone` would, or none if one of them is settled already. Returns their ids. */
  settlePlain(settles: readonly SettleRequest[]): string[] {
    const before = this.copy()
    try {
      return settles.filter((settle) => this.settleAlone(settle)).map(({ id }) => id)
    } catch (error) {
      this.restore(before)
      throw error
    }
  }

  /** Ends holds whose lease has expired. */
  sweep(atMost: number, nowMs: number): number {
    const due = [...this.holds].filter(([, { leaseUntilMs }]) => leaseUntilMs < nowMs)
    due.sort(([, one], [, other]) => one.leaseUntilMs - other.leaseUntilMs)
    const swept = due.slice(0, atMost)
    for (const [id] of swept) {
      this.#close(id)
      this.lapsed.add(id)
    }
    return swept.length
  }

  copy(): MoneyModel {
    const copy = new MoneyModel()
    copy.restore(this)
    return copy
  }

  restore(from: MoneyModel): void {
    this.wallets = new Map([...from.wallets].map(([id, row]) => [id, { ...row }]))
    this.holds = new Map([...from.holds].map(([id, row]) => [id, { ...row }]))
    this.windows = new Map([...from.windows].map(([key, row]) => [key, { ...row }]))
    this.generations = new Map(from.generations)
    this.charges = [...from.charges]
    this.paidIn = new Map(from.paidIn)
    this.lapsed = new Set(from.lapsed)
  }

  /** Names the wallet first, then the window with the least room. A breaker rejects once it is full. */
  #shortOf(request: PlaceRequest): Placed | null {
    const { walletId, amount, windows } = request
    const room = this.#walletRoom(walletId)
    if (this.#funds(walletId) <= 0n || room < takenOfWallet(request)) return refusal('wallet', room)
    const short = windows
      .map((window) => ({ scope: window.kind, room: this.#windowRoom(window) }))
      .filter((window) => (isHardLimit(window.scope) ? window.room < amount : window.room <= 0n))
      .sort(byRoom)
    const [least] = short
    return least === undefined ? null : refusal(least.scope, least.room)
  }

  /** Whether all requests of a batch on this hold's wallet and windows fit. */
  #isRoomy(
    { walletId, windows }: PlaceRequest,
    { requests, asking }: { requests: readonly PlaceRequest[]; asking: readonly PlaceRequest[] },
  ): boolean {
    // For the wallet, repeated requests of a retry count too.
    const taken = requests.filter((each) => each.walletId === walletId).map(takenOfWallet)
    if (this.#walletRoom(walletId) < taken.reduce((total, amount) => total + amount, 0n)) return false
    return windows.every((window) => {
      const room = this.#windowRoom(window)
      const others = asking.filter((each) => counts(each, window))
      return isHardLimit(window.kind)
        ? room >= sum(others)
        : room > others.reduce((total, { estimate }) => total + estimate, 0n)
    })
  }

  /**
   * The amount that remains after all requests of the batch, and the amount that this hold takes at once: an equal
   * share at most.
   */
  #growthOf(request: PlaceRequest, asking: readonly PlaceRequest[]): { more: bigint; room: bigint | null } {
    const { walletId, amount, growth } = request
    if (growth.wish <= amount) return { more: 0n, room: null }
    const others = asking.filter((each) => each.walletId === walletId && !isPrepaid(each))
    const pots = isPrepaid(request) ? [] : [{ left: this.#walletRoom(walletId), of: others }]
    for (const window of request.windows) {
      if (!isHardLimit(window.kind)) continue
      pots.push({ left: this.#windowRoom(window), of: asking.filter((each) => counts(each, window)) })
    }
    const rooms = pots.map(({ left, of }) => atLeastZero(left - sum(of)))
    const sharers = pots.map(({ of }) => BigInt(of.filter((each) => each.growth.wish > each.amount).length))
    const share = least(rooms.map((room, position) => room / (sharers[position] ?? 1n)))
    if (growth.comfort === null) return { more: 0n, room: least(rooms) }
    const aim = [growth.comfort - amount, (share - 16n * growth.comfort) / 8n].map(atLeastZero)
    const most = aim.reduce((one, other) => (one > other ? one : other))
    return { more: least([growth.wish - amount, share, most]), room: least(rooms) }
  }

  /** Takes the missing hold of a charge, as far as there is room; returns the chargeable amount. */
  #cover({ id, walletId, keyId, cost, windows }: SettleRequest): bigint {
    const hold = this.holds.get(id)
    const held = hold?.amount ?? 0n
    if (cost <= held || this.generations.has(id)) return cost
    const hard = windows.filter(({ kind }) => isHardLimit(kind))
    // Finished output is also charged from expired credit.
    const funds = this.#walletRoom(walletId) + this.#wallet(walletId).expired
    const isOwn = !isPrepaid({ windows }) || funds < 0n
    const room = least([...(isOwn ? [funds] : []), ...hard.map((window) => this.#windowRoom(window))])
    const covered = coveredCost({ cost, held, room })
    const taken = { walletId, windows: hard.map(keyOf) }
    if (hold === undefined) this.holds.set(id, { ...taken, keyId, amount: covered, estimate: 0n, leaseUntilMs: 0 })
    else hold.amount = covered
    this.#addHeld(taken, { amount: covered - held, estimate: 0n })
    return covered
  }

  #close(id: string): void {
    const hold = this.holds.get(id)
    if (hold === undefined) return
    this.holds.delete(id)
    this.#addHeld(hold, { amount: -hold.amount, estimate: -hold.estimate })
  }

  #addHeld(
    { walletId, windows }: { walletId: string; windows: readonly string[] },
    { amount, estimate }: { amount: bigint; estimate: bigint },
  ): void {
    if (!windows.some((key) => isBalance(kindOf(key)))) this.#wallet(walletId).held += amount
    for (const key of windows) this.#open(key).held += isHardLimit(kindOf(key)) ? amount : estimate
  }

  /** A new window row starts with the sum of earlier settlements. */
  #open(key: string): WindowRow {
    const known = this.windows.get(key)
    if (known !== undefined) return known
    const counted = [...this.generations.values()].filter(({ windows }) => windows.includes(key))
    const earlier = counted.reduce((sum, { cost }) => sum + cost, 0n)
    const opened = { held: 0n, spent: isBalance(kindOf(key)) ? 0n : earlier }
    this.windows.set(key, opened)
    return opened
  }

  #funds(id: string): bigint {
    const { balance, creditLine, expired } = this.#wallet(id)
    return balance + creditLine - expired
  }

  #walletRoom(id: string): bigint {
    return this.#funds(id) - this.#wallet(id).held
  }

  #windowRoom(window: LimitedWindow): bigint {
    const { held, spent } = this.#open(keyOf(window))
    return window.limit - held - spent
  }

  #wallet(id: string): WalletRow {
    const wallet = this.wallets.get(id)
    if (wallet === undefined) throw new Error(`there is no wallet ${id}`)
    return wallet
  }
}

export function keyOf({ kind, ownerId, startsAtMs }: Omit<LimitedWindow, 'limit'>): string {
  return `${kind} ${ownerId} ${startsAtMs}`
}

/** A key starts with its window's kind. */
export function kindOf(key: string): string {
  return key.slice(0, key.indexOf(' '))
}

/** Money that a customer paid in counts as negative spend in such a window. */
function isBalance(kind: string): boolean {
  return kind === 'customer_balance'
}

function isPrepaid({ windows }: Pick<PlaceRequest, 'windows'>): boolean {
  return windows.some(({ kind }) => isBalance(kind))
}

/** The wallet has set aside what its prepaid customers can hold. */
function takenOfWallet(request: PlaceRequest): bigint {
  return isPrepaid(request) ? 0n : request.amount
}

function counts({ windows }: PlaceRequest, window: LimitedWindow): boolean {
  return windows.some((each) => keyOf(each) === keyOf(window))
}

function sum(requests: readonly PlaceRequest[]): bigint {
  return requests.reduce((total, { amount }) => total + amount, 0n)
}

function least(amounts: readonly bigint[]): bigint {
  return amounts.reduce((one, other) => (one < other ? one : other))
}

function byRoom(one: { scope: string; room: bigint }, other: { scope: string; room: bigint }): number {
  return Number(one.room - other.room) || (one.scope < other.scope ? -1 : 1)
}

function refusal(scope: string, room: bigint): Placed {
  return { refusedBy: scope, room: atLeastZero(room), granted: null }
}
