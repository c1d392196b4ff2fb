import type { Upstreams } from '#ports/upstream.ts'

export interface HttpSinkOptions {
  /** Not behind the guard: operators may well collect events in a private network. */
  readonly upstreams: Upstreams
  readonly url: string
  /** Credentials, in lower case by name. */
  readonly headers: Readonly<Record<string, string>>
  /** For the whole of an answer. */
  readonly timeoutMs: number
  readonly nowMs: () => number
}
