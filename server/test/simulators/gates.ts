/** Named gates at which a scenario waits. A released gate stays open until `reset`. */
export class Gates {
  readonly #open = new Set<string>()
  readonly #waiting = new Map<string, Set<() => void>>()
  readonly #watchers: { name: string; resolve: () => void }[] = []

  release(name: string): void {
    this.#open.add(name)
    for (const resolve of this.#waiting.get(name) ?? []) resolve()
    this.#waiting.delete(name)
  }

  /** Resolves when the gate opens or the signal aborts; the player checks the signal itself. */
  pass(name: string, signal: AbortSignal): Promise<void> {
    if (this.#open.has(name) || signal.aborted) return Promise.resolve()
    const { promise, resolve } = Promise.withResolvers<void>()
    const waiting = this.#waiting.get(name) ?? new Set()
    waiting.add(resolve)
    this.#waiting.set(name, waiting)
    signal.addEventListener('abort', () => {
      waiting.delete(resolve)
      resolve()
    })
    for (const watcher of this.#watchers) if (watcher.name === name) watcher.resolve()
    return promise
  }

  /** Resolves when a request waits at the gate: everything before it has been written. */
  waitForArrival(name: string): Promise<void> {
    if ((this.#waiting.get(name)?.size ?? 0) > 0) return Promise.resolve()
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#watchers.push({ name, resolve })
    return promise
  }

  reset(): void {
    this.#open.clear()
  }
}
