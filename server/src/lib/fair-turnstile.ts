/** A unit of work: its account and its weight. */
export interface Turn {
  readonly account: string
  /** 0 by default. A unit heavier than the limit runs alone. */
  readonly weight?: number
  /** Aborts the wait. Work that has started must check the signal itself. */
  readonly signal?: AbortSignal
}

export interface FairLimits {
  readonly atOnceMax: number
  readonly atOnceMaxEach: number
  readonly waitingMax: number
  readonly waitingMaxEach: number
  readonly weightMax: number
  readonly weightMaxEach: number
}

export interface FairTurnstileOptions extends FairLimits {
  /** `account`: the account's queue is full. `process`: all queues together are full. */
  readonly refusal: (whose: 'account' | 'process') => Error
}

interface Load {
  running: number
  weight: number
}

interface Line extends Load {
  readonly account: string
  readonly waiting: Set<Waiter>
}

interface Waiter {
  readonly weight: number
  readonly begin: () => void
}

/**
 * Limits work that several accounts cause: concurrent units in total, concurrent units per account, and total weight.
 * Work without a slot waits in its account's own queue, and the queues take turns. An account that floods fills only
 * its own queue.
 */
export class FairTurnstile {
  readonly #options: FairTurnstileOptions
  readonly #lines = new Map<string, Line>()
  // Non-empty queues. The first has the next turn.
  readonly #turns = new Set<Line>()
  readonly #total: Load = { running: 0, weight: 0 }
  #waiting = 0

  constructor(options: FairTurnstileOptions) {
    this.#options = options
  }

  async run<Result>({ account, weight = 0, signal }: Turn, work: () => Promise<Result>): Promise<Result> {
    signal?.throwIfAborted()
    const line = this.#lineOf(account)
    // All waiting work currently lacks room, so starting this work takes nothing from other queues.
    if (line.waiting.size === 0 && this.#hasRoom(line, weight)) this.#add(line, 1, weight)
    else await this.#waitIn(line, weight, signal)
    try {
      return await work()
    } finally {
      this.#add(line, -1, -weight)
      this.#forget(line)
      this.#giveTurns()
    }
  }

  /** Accounts whose work would have to wait. */
  get busy(): string[] {
    const isBusy = ({ running, waiting }: Line): boolean => running >= this.#options.atOnceMaxEach || waiting.size > 0
    return [...this.#lines.values()].filter(isBusy).map(({ account }) => account)
  }

  /** Running or waiting. */
  get depth(): number {
    return this.#total.running + this.#waiting
  }

  #waitIn(line: Line, weight: number, signal: AbortSignal | undefined): Promise<void> {
    const isOwnLineFull = line.waiting.size >= this.#options.waitingMaxEach
    if (isOwnLineFull || this.#waiting >= this.#options.waitingMax) {
      this.#forget(line)
      throw this.#options.refusal(isOwnLineFull ? 'account' : 'process')
    }
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#leaveLine(line, waiter)
        this.#forget(line)
        reject(signal?.reason)
        this.#giveTurns()
      }
      const begin = (): void => {
        signal?.removeEventListener('abort', leave)
        resolve()
      }
      const waiter: Waiter = { weight, begin }
      line.waiting.add(waiter)
      this.#turns.add(line)
      this.#waiting += 1
      signal?.addEventListener('abort', leave, { once: true })
    })
  }

  #giveTurns(): void {
    for (let next = this.#nextWithRoom(); next !== null; next = this.#nextWithRoom()) {
      const { line, waiter } = next
      this.#leaveLine(line, waiter)
      // Moved to the end: every other queue comes before its next turn.
      if (this.#turns.delete(line)) this.#turns.add(line)
      this.#add(line, 1, waiter.weight)
      waiter.begin()
    }
  }

  #nextWithRoom(): { line: Line; waiter: Waiter } | null {
    for (const line of this.#turns) {
      const [waiter] = line.waiting
      if (waiter !== undefined && this.#hasRoom(line, waiter.weight)) return { line, waiter }
    }
    return null
  }

  #hasRoom(line: Line, weight: number): boolean {
    const { atOnceMax, atOnceMaxEach, weightMax, weightMaxEach } = this.#options
    if (this.#total.running >= atOnceMax || line.running >= atOnceMaxEach) return false
    return fits(line.weight, weight, weightMaxEach) && fits(this.#total.weight, weight, weightMax)
  }

  #add(line: Line, running: number, weight: number): void {
    for (const load of [line, this.#total]) {
      load.running += running
      load.weight += weight
    }
  }

  #leaveLine(line: Line, waiter: Waiter): void {
    if (!line.waiting.delete(waiter)) return
    this.#waiting -= 1
    if (line.waiting.size === 0) this.#turns.delete(line)
  }

  #lineOf(account: string): Line {
    const known = this.#lines.get(account)
    if (known !== undefined) return known
    const fresh: Line = { account, running: 0, weight: 0, waiting: new Set() }
    this.#lines.set(account, fresh)
    return fresh
  }

  #forget(line: Line): void {
    if (line.running === 0 && line.waiting.size === 0) this.#lines.delete(line.account)
  }
}

function fits(taken: number, weight: number, max: number): boolean {
  return taken === 0 || taken + weight <= max
}
