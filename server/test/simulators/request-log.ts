import type { JsonValue } from './json-value.ts'

export interface RecordedRequest {
  method: string
  path: string
  headers: Record<string, string | string[] | undefined>
  rawBody: string
  /** The parsed body, or null if there is none or it is not JSON. */
  body: JsonValue
  receivedAtMs: number
  /** The end time of each wait of the scenario. */
  waitedUntilMs: number[]
  /** The peer closed before the simulator had finished its response. */
  aborted: boolean
}

/** The received requests of a simulator, and the promises that wait for more. */
export class RequestLog {
  readonly requests: RecordedRequest[] = []
  #watchers: { isMet: () => boolean; resolve: () => void }[] = []

  add(request: RecordedRequest): void {
    this.requests.push(request)
    this.#notify()
  }

  markAborted(request: RecordedRequest): void {
    request.aborted = true
    this.#notify()
  }

  waitForRequests(count: number): Promise<void> {
    return this.#waitUntil(() => this.requests.length >= count)
  }

  /** Without an index, the abort of any request counts. */
  waitForAbort(index?: number): Promise<void> {
    return this.#waitUntil(() =>
      index === undefined ? this.requests.some((request) => request.aborted) : this.requests[index]?.aborted === true,
    )
  }

  forget(): void {
    this.requests.length = 0
  }

  #waitUntil(isMet: () => boolean): Promise<void> {
    if (isMet()) return Promise.resolve()
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#watchers.push({ isMet, resolve })
    return promise
  }

  #notify(): void {
    const met = this.#watchers.filter((watcher) => watcher.isMet())
    this.#watchers = this.#watchers.filter((watcher) => !met.includes(watcher))
    for (const watcher of met) watcher.resolve()
  }
}
