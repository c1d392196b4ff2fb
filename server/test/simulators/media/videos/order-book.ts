import type { JsonObject } from '#lib/json.ts'
import { type SeenOrder, usualScript, type VideoScript } from './video-upstream.ts'

/** An order and its course. */
export interface PlayedOrder extends SeenOrder {
  readonly script: VideoScript
  readonly pollsAtMs: number[]
  downloads: number
}

/** An upstream's state of its orders. */
export class OrderBook {
  readonly orders: PlayedOrder[] = []
  #script: VideoScript = usualScript
  readonly #next: Partial<VideoScript>[] = []
  readonly #waiting = new Set<() => void>()

  play(script: Partial<VideoScript>): void {
    this.#script = { ...usualScript, ...script }
  }

  playNext(...scripts: Partial<VideoScript>[]): void {
    this.#next.push(...scripts)
  }

  /** The course of the order that has just arrived. */
  nextScript(): VideoScript {
    const next = this.#next.shift()
    return next === undefined ? this.#script : { ...usualScript, ...next }
  }

  take(
    { name, prompt, path, body }: { name: string | null; prompt: string; path: string; body: JsonObject },
    script: VideoScript,
  ): PlayedOrder {
    const id = `order-${this.orders.length + 1}`
    const order = { id, name, prompt, path, body, script, takenAtMs: Date.now(), pollsAtMs: [], downloads: 0 }
    this.orders.push(order)
    for (const look of this.#waiting) look()
    return order
  }

  find(idOrName: string): PlayedOrder | undefined {
    return this.orders.find(({ id, name }) => id === idOrName || name === idOrName)
  }

  async waitFor(count: number): Promise<void> {
    if (this.orders.length >= count) return
    const { promise, resolve } = Promise.withResolvers<void>()
    const look = (): void => {
      if (this.orders.length >= count) resolve()
    }
    this.#waiting.add(look)
    await promise
    this.#waiting.delete(look)
  }
}

/** The stage of an order at its latest poll. */
export function stageOf({ script, pollsAtMs }: PlayedOrder): 'pending' | 'working' | VideoScript['end']['kind'] {
  const polls = pollsAtMs.length
  if (polls <= script.pendingPolls) return 'pending'
  return polls <= script.pendingPolls + script.workingPolls ? 'working' : script.end.kind
}
