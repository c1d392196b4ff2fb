/** Holds one immutable value in this process, replaced as a whole when its revision changes. */
export interface SnapshotKeeper<T> {
  current(): T
  /** False before the first successful load. */
  readonly isLoaded: boolean
  /** Reloads. A failed load is reported, and the last good value stays. */
  refresh(): Promise<void>
  /** Takes a revision that was just read, and reloads if it is not the current one. */
  seeRevision(revision: number): Promise<void>
}

export interface Snapshot<T> {
  readonly revision: number
  readonly value: T
}

export function keepSnapshot<T>(options: {
  initial: T
  load: () => Promise<Snapshot<T>>
  report: { failed(error: unknown): void; succeeded(): void }
}): SnapshotKeeper<T> {
  let snapshot: Snapshot<T> = { revision: -1, value: options.initial }
  let isLoaded = false
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined

  async function load(): Promise<void> {
    try {
      snapshot = await options.load()
      isLoaded = true
      options.report.succeeded()
    } catch (error) {
      options.report.failed(error)
    }
  }

  // Runs one load at a time. A running load may have missed the newest change, so this call waits for the next load.
  function refresh(): Promise<void> {
    if (running === undefined) {
      running = load().finally(() => {
        running = undefined
      })
      return running
    }
    next ??= running.then(() => {
      next = undefined
      return refresh()
    })
    return next
  }

  return {
    current: () => snapshot.value,
    get isLoaded() {
      return isLoaded
    },
    refresh,
    async seeRevision(revision) {
      if (revision !== snapshot.revision) await refresh()
    },
  }
}
