import { Pool } from 'pg'
import type { Random } from '#test/drills/setup/random.ts'
import type { Process } from './machine/process.ts'
import type { Scheduler } from './machine/scheduler.ts'
import type { WireFaults } from './profile.ts'
import { readRows, type SentStatement } from './store/statement.ts'
import type { Result, Store } from './store/store.ts'

type Fate = 'fine' | 'slow' | 'cut' | 'unknown' | 'zombie' | 'twice' | 'deadlock'

/** Events of a statement in transit, for the trace and for the invariants. */
interface WireEvents {
  fault(): void
  executing(sent: SentStatement): void
  executed(sent: SentStatement, result: Result): void
  /** Null disables the trace. */
  trace: ((line: string) => void) | null
}

type Answer = (ms: number, outcome: { result: Result } | { error: unknown }) => void

/**
 * The connections between processes and Postgres. Each statement is a message that may be late, lost, duplicated or cut
 * off.
 */
export class Wire {
  readonly #scheduler: Scheduler<Process>
  readonly #random: Random
  readonly #store: Store
  readonly #events: WireEvents
  faults: WireFaults
  #isUp = true
  /** Counts restarts: a restart cuts off everything in progress. */
  #restarts = 0
  #underWay = 0

  constructor(options: {
    scheduler: Scheduler<Process>
    random: Random
    store: Store
    faults: WireFaults
    events: WireEvents
  }) {
    this.#scheduler = options.scheduler
    this.#random = options.random
    this.#store = options.store
    this.#events = options.events
    this.faults = options.faults
  }

  /** A pool for the money store whose statements use this wire. */
  poolOf(owner: Process, { isDurable }: { isDurable: boolean }): Pool {
    return Object.assign(new Pool(), { query: (sent: SentStatement) => this.#send(owner, sent, isDurable) })
  }

  /** Whether no statement is in transit to Postgres, not even one whose sender has given up. */
  get isIdle(): boolean {
    return this.#underWay === 0
  }

  stop(): void {
    this.#isUp = false
    this.#restarts += 1
  }

  start(): void {
    this.#isUp = true
  }

  #send(owner: Process, sent: SentStatement, isDurable: boolean): Promise<Result> {
    return new Promise((resolve, reject) => {
      const answer: Answer = (ms, outcome) =>
        this.#scheduler.after(ms, owner, () => {
          if ('result' in outcome) resolve(outcome.result)
          else reject(outcome.error)
        })
      const say = (what: string): void => this.#events.trace?.(`${owner.name}: ${nameOf(sent)}, ${what}`)
      if (!this.#isUp) {
        say('but Postgres is down')
        answer(1, { error: failure('ECONNREFUSED') })
        return
      }
      const fate = this.#drawFate()
      if (fate !== 'fine') this.#events.fault()
      say(fate)
      this.#meet(fate, { sent, isDurable, answer })
    })
  }

  #meet(fate: Fate, { sent, isDurable, answer }: { sent: SentStatement; isDurable: boolean; answer: Answer }): void {
    const there = this.#random.integer(0, fate === 'slow' ? 2_500 : 12)
    const back = this.#random.integer(0, 5)
    const cutOff: Answer = (ms) => answer(ms, { error: failure('ECONNRESET') })
    switch (fate) {
      case 'fine':
      case 'slow':
        return this.#deliver({ sent, isDurable, there, back, answer })
      case 'cut':
        return cutOff(there, { error: null })
      case 'deadlock':
        return answer(there, { error: failure('40P01') })
      case 'unknown':
        return this.#deliver({ sent, isDurable, there, back, answer: cutOff })
      case 'zombie':
        cutOff(there, { error: null })
        return this.#deliver({ sent, isDurable, there: this.#random.integer(0, 6_000), back, answer: unheard })
      case 'twice':
        this.#deliver({ sent, isDurable, there, back, answer })
        return this.#deliver({ sent, isDurable, there: there + this.#random.integer(0, 800), back, answer: unheard })
    }
  }

  #deliver(message: { sent: SentStatement; isDurable: boolean; there: number; back: number; answer: Answer }): void {
    const { sent, isDurable, back, answer } = message
    const sentAfter = this.#restarts
    this.#underWay += 1
    this.#scheduler.after(message.there, null, () => {
      this.#underWay -= 1
      if (this.#restarts !== sentAfter) return answer(back, { error: failure('57P01') })
      return this.#execute(sent, isDurable, (outcome) => answer(back, outcome))
    })
  }

  #execute(
    sent: SentStatement,
    isDurable: boolean,
    done: (outcome: { result: Result } | { error: unknown }) => void,
  ): Promise<void> | void {
    const succeed = (result: Result): void => {
      this.#events.executed(sent, result)
      done({ result })
    }
    const fail = (error: unknown): void => {
      this.#events.trace?.(
        `Postgres: ${nameOf(sent)} failed: ${error instanceof Error ? error.message : String(error)}`,
      )
      done({ error })
    }
    this.#events.executing(sent)
    let result: Result | Promise<Result>
    try {
      result = this.#store.execute(sent, { nowMs: this.#scheduler.nowMs, isDurable })
    } catch (error) {
      return fail(error)
    }
    return result instanceof Promise ? result.then(succeed, fail) : succeed(result)
  }

  #drawFate(): Fate {
    const { faults } = this
    const draw = this.#random.integer(0, 999) / 1_000
    let sum = 0
    for (const fate of faultyFates) {
      sum += faults[fate]
      if (draw < sum) return fate
    }
    return 'fine'
  }
}

const unheard: Answer = () => {}

const faultyFates = ['slow', 'cut', 'unknown', 'zombie', 'twice', 'deadlock'] as const

function failure(code: string): Error {
  return Object.assign(new Error(`the statement was not answered: ${code}`), { code })
}

/** For people: the statement and the last digits of its subject. */
function nameOf({ name, values }: SentStatement): string {
  const [first] = values
  if (typeof first !== 'string') return name
  const ids = idsOf(name, first)
  return `${name} ${ids.map((id) => `#${Number(id.slice(-6))}`).join(' ')}`
}

function idsOf(name: string, first: string): string[] {
  if (name === 'settle-generation') return [rowId(first)]
  return name === 'settle-generations-plain' ? readRows(first).map(rowId) : first.replaceAll(/[{}]/g, '').split(',')
}

/** The first column of a row literal. */
function rowId(row: string): string {
  return row.slice(1, row.indexOf(','))
}
