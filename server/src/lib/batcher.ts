/**
 * Collects items while a batch is in flight and sends them together when there is room. Batches grow under load and are
 * immediate when idle. No timer is involved.
 */
export class Batcher<Item, Result> {
  readonly #options: BatcherOptions<Item, Result>
  #queue: Waiting<Item, Result>[] = []
  #inFlight = 0
  #itemsInFlight = 0
  #scheduled = false
  #idleWaiters: (() => void)[] = []

  constructor(options: BatcherOptions<Item, Result>) {
    this.#options = options
  }

  /** Items waiting or in flight. */
  get depth(): number {
    return this.#queue.length + this.#itemsInFlight
  }

  add(item: Item): Promise<Result> {
    if (this.#queue.length >= this.#options.queueMax) return Promise.reject(this.#options.refusal())
    return new Promise<Result>((resolve, reject) => {
      this.#queue.push({ item, resolve, reject })
      this.#schedule()
    })
  }

  /** Resolves once everything added so far has been answered. */
  idle(): Promise<void> {
    if (this.#queue.length === 0 && this.#inFlight === 0) return Promise.resolve()
    return new Promise((resolve) => this.#idleWaiters.push(resolve))
  }

  // One turn of the event loop lets all items that arrive with this one join its batch.
  #schedule(): void {
    if (this.#scheduled || this.#inFlight >= this.#options.inFlightMax) return
    this.#scheduled = true
    setImmediate(() => {
      this.#scheduled = false
      void this.#pump()
    })
  }

  async #pump(): Promise<void> {
    if (this.#queue.length === 0 || this.#inFlight >= this.#options.inFlightMax) return
    const batch = this.#queue.splice(0, this.#options.batchMax)
    this.#inFlight += 1
    this.#itemsInFlight += batch.length
    if (this.#queue.length > 0) this.#schedule()
    try {
      await this.#send(batch)
    } finally {
      this.#inFlight -= 1
      this.#itemsInFlight -= batch.length
      if (this.#queue.length > 0) this.#schedule()
      else if (this.#inFlight === 0) for (const wake of this.#idleWaiters.splice(0)) wake()
    }
  }

  #rejectionOf(error: unknown): unknown {
    return this.#options.rejection?.(error) ?? error
  }

  async #send(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.#options.send(batch.map((waiting) => waiting.item))
      batch.forEach((waiting, position) => {
        const result = results[position]
        if (result === undefined)
          waiting.reject(this.#rejectionOf(new Error('the batch returned no result for an item')))
        else waiting.resolve(result)
      })
    } catch (error) {
      if (batch.length > 1 && this.#options.isItemsFault?.(error) === true) {
        for (const waiting of batch) await this.#send([waiting])
        return
      }
      const rejection = this.#rejectionOf(error)
      for (const waiting of batch) waiting.reject(rejection)
    }
  }
}

export interface BatcherOptions<Item, Result> {
  /** Returns a result for every item of a batch, in order. A rejection is passed to each of them. */
  send: (items: Item[]) => Promise<Result[]>
  batchMax: number
  inFlightMax: number
  /** Beyond this many waiting items `add` rejects immediately: a queue that cannot drain must not grow. */
  queueMax: number
  refusal: () => Error
  /** What items are rejected with instead of the error of their batch. */
  rejection?: (error: unknown) => Error
  /** Whether one item may have spoiled its batch. Then each is sent alone, so that the others succeed. */
  isItemsFault?: (error: unknown) => boolean
}

interface Waiting<Item, Result> {
  item: Item
  resolve: (result: Result) => void
  reject: (error: unknown) => void
}
