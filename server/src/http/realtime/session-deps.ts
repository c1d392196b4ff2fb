import type { GatewayError } from '#errors/gateway-error.ts'
import type { Timers } from '#lib/timers.ts'
import type { Realtime } from '#pipeline/realtime.ts'

export interface SessionDeps {
  readonly realtime: Realtime
  readonly nowMs: () => number
  readonly timers: Pick<Timers, 'after'>
  readonly sessionMs: number
  /** Time without an event of a running response. */
  readonly stallMs: number
  /** Time without an event of the client. */
  readonly idleMs: number
  readonly onRefused: (error: GatewayError) => void
  readonly onFault: (error: unknown) => void
}
