import type { Uuid } from '#lib/uuid.ts'
import type { Upstreams } from '#ports/upstream.ts'

export interface HttpSinkOptions {
  /** Without the egress guard: operators may collect events in a private network. */
  readonly upstreams: Upstreams
  readonly url: string
  /** Credentials, by lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  /** Time limit of a whole response. */
  readonly timeoutMs: number
  readonly nowMs: () => number
}

/** Options of a metering system. `url` is its base URL. */
export interface MeterSinkOptions extends HttpSinkOptions {
  /** The name of the meter. */
  readonly meter: string
  /** The only organization whose customers it bills. Null for all wallets. */
  readonly organizationId: Uuid | null
}
