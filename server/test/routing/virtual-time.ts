/** A clock that stands still between events. Due events run in order of time; promises settle in between. */
export interface VirtualTime {
  readonly nowMs: number
  at(timeMs: number, run: () => void): void
  wait(forMs: number): Promise<void>
  /** Runs until nothing is due. */
  runOut(): Promise<void>
}

interface Due {
  readonly timeMs: number
  readonly order: number
  readonly run: () => void
}

export function createVirtualTime(): VirtualTime {
  const heap: Due[] = []
  let nowMs = 0
  let order = 0
  const time: VirtualTime = {
    get nowMs() {
      return nowMs
    },
    at(timeMs, run) {
      order += 1
      push(heap, { timeMs: Math.max(timeMs, nowMs), order, run })
    },
    wait: (forMs) => new Promise((resolve) => time.at(nowMs + forMs, resolve)),
    async runOut() {
      for (let due = pop(heap); due !== undefined; due = pop(heap)) {
        nowMs = due.timeMs
        due.run()
        // All pending promises continue before the clock does.
        await new Promise((resolve) => setImmediate(resolve))
      }
    },
  }
  return time
}

const isBefore = (one: Due, other: Due): boolean =>
  one.timeMs < other.timeMs || (one.timeMs === other.timeMs && one.order < other.order)

function push(heap: Due[], due: Due): void {
  let index = heap.push(due) - 1
  while (index > 0) {
    const parent = (index - 1) >> 1
    if (!swapIfBefore(heap, index, parent)) return
    index = parent
  }
}

function pop(heap: Due[]): Due | undefined {
  const [first] = heap
  const last = heap.pop()
  if (last === undefined || heap.length === 0) return last
  heap[0] = last
  let index = 0
  for (;;) {
    const [left, right] = [index * 2 + 1, index * 2 + 2]
    const small = smallest(heap, left, right)
    if (small === null || !swapIfBefore(heap, small, index)) return first
    index = small
  }
}

function smallest(heap: readonly Due[], left: number, right: number): number | null {
  const [one, other] = [heap[left], heap[right]]
  if (one === undefined) return null
  return other !== undefined && isBefore(other, one) ? right : left
}

function swapIfBefore(heap: Due[], index: number, other: number): boolean {
  const [one, two] = [heap[index], heap[other]]
  if (one === undefined || two === undefined || !isBefore(one, two)) return false
  heap[index] = two
  heap[other] = one
  return true
}
