/** The scheduler's view of a process. */
interface Owner {
  readonly isAlive: boolean
}

/** An event at a moment of virtual time. It may take real time with a real store. */
interface SimulatedEvent<Process extends Owner> {
  readonly atMs: number
  readonly order: number
  /** The process whose code runs; nothing happens once it is dead. Null means the world itself. */
  readonly owner: Process | null
  readonly run: () => Promise<void> | void
}

/** All events in the order of virtual time. Nothing in a world runs outside the scheduler. */
export class Scheduler<Process extends Owner> {
  #nowMs: number
  #order = 0
  readonly #heap: SimulatedEvent<Process>[] = []

  constructor(startMs: number) {
    this.#nowMs = startMs
  }

  get nowMs(): number {
    return this.#nowMs
  }

  /** Events of one moment run in the order of their scheduling. */
  after(ms: number, owner: Process | null, run: () => Promise<void> | void): void {
    this.#order += 1
    this.#push({ atMs: this.#nowMs + Math.max(0, ms), order: this.#order, owner, run })
  }

  /** The next event of a living owner, with the clock moved to it; undefined when nothing is left. */
  next(): SimulatedEvent<Process> | undefined {
    for (;;) {
      const event = this.#pop()
      if (event === undefined) return undefined
      this.#nowMs = event.atMs
      if (event.owner === null || event.owner.isAlive) return event
    }
  }

  #push(event: SimulatedEvent<Process>): void {
    const heap = this.#heap
    let at = heap.length
    heap.push(event)
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!isBefore(event, heap[parent])) break
      swap(heap, at, parent)
      at = parent
    }
  }

  #pop(): SimulatedEvent<Process> | undefined {
    const heap = this.#heap
    const [first] = heap
    const last = heap.pop()
    if (first === undefined || last === undefined || heap.length === 0) return first
    heap[0] = last
    for (let at = 0; ; ) {
      const left = 2 * at + 1
      const least = isBefore(heap[left + 1], heap[left]) ? left + 1 : left
      if (!isBefore(heap[least], heap[at])) return first
      swap(heap, at, least)
      at = least
    }
  }
}

type Moment = Pick<SimulatedEvent<Owner>, 'atMs' | 'order'>

function isBefore(one: Moment | undefined, other: Moment | undefined): boolean {
  if (one === undefined || other === undefined) return other === undefined && one !== undefined
  return one.atMs < other.atMs || (one.atMs === other.atMs && one.order < other.order)
}

function swap<Item>(heap: Item[], one: number, other: number): void {
  const [first, second] = [heap[one], heap[other]]
  if (first === undefined || second === undefined) return
  heap[one] = second
  heap[other] = first
}
