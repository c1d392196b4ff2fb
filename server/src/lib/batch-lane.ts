/**
 * A lane collects items while a batch is in flight and sends them together when there is room. Batches grow by
 * themselves under load and are immediate when idle; no timer is involved.
 */
export interface BatchLane<Item, Result> {
  add(item: Item): Promise<Result>
  /** Items waiting or in flight. */
  readonly depth: number
  /** Resolves once everything added so far has been answered. */
  idle(): Promise<void>
}

export interface BatchLaneOptions<Item, Result> {
  /** Answers every item of a batch, in order. A rejection is given to each of them. */
  send: (items: Item[]) => Promise<Result[]>
  batchMax: number
  inFlightMax: number
  /** Beyond this many waiting items `add` refuses at once: a queue that can not drain must not grow. */
  queueMax: number
  refusal: () => Error
  /** Whether one item may have spoilt its batch: then each is sent alone, so that the others do not suffer for it. */
  isItemsFault?: (error: unknown) => boolean
}

interface Waiting<Item, Result> {
  item: Item
  resolve: (result: Result) => void
  reject: (error: unknown) => void
}

export function createBatchLane<Item, Result>(options: BatchLaneOptions<Item, Result>): BatchLane<Item, Result> {
  let queue: Waiting<Item, Result>[] = []
  let inFlight = 0
  let itemsInFlight = 0
  let scheduled = false
  let idleWaiters: (() => void)[] = []

  function add(item: Item): Promise<Result> {
    if (queue.length >= options.queueMax) return Promise.reject(options.refusal())
    return new Promise<Result>((resolve, reject) => {
      queue.push({ item, resolve, reject })
      schedule()
    })
  }

  // One turn of the event loop lets all that arrived with this item join its batch.
  function schedule(): void {
    if (scheduled || inFlight >= options.inFlightMax) return
    scheduled = true
    setImmediate(() => {
      scheduled = false
      void pump()
    })
  }

  async function pump(): Promise<void> {
    if (queue.length === 0 || inFlight >= options.inFlightMax) return
    const batch = queue.length <= options.batchMax ? queue : queue.slice(0, options.batchMax)
    queue = queue.length <= options.batchMax ? [] : queue.slice(options.batchMax)
    inFlight += 1
    itemsInFlight += batch.length
    if (queue.length > 0) schedule()
    try {
      await sendBatch(batch)
    } finally {
      inFlight -= 1
      itemsInFlight -= batch.length
      if (queue.length > 0) schedule()
      else if (inFlight === 0) wakeIdle()
    }
  }

  async function sendBatch(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await options.send(batch.map((waiting) => waiting.item))
      for (const [position, waiting] of batch.entries()) {
        const result = results[position]
        if (result === undefined) waiting.reject(new Error('the batch left an item unanswered'))
        else waiting.resolve(result)
      }
    } catch (error) {
      if (batch.length > 1 && options.isItemsFault?.(error) === true) {
        for (const waiting of batch) await sendBatch([waiting])
        return
      }
      for (const waiting of batch) waiting.reject(error)
    }
  }

  function wakeIdle(): void {
    const waiters = idleWaiters
    idleWaiters = []
    for (const wake of waiters) wake()
  }

  return {
    add,
    get depth() {
      return queue.length + itemsInFlight
    },
    idle() {
      if (queue.length === 0 && inFlight === 0) return Promise.resolve()
      return new Promise((resolve) => idleWaiters.push(resolve))
    },
  }
}
