import type { Uuid } from '#lib/uuid.ts'

/** The circuit breaker of a provider account and one of its models has opened or closed in this process. */
export interface CircuitChange {
  readonly accountId: Uuid
  readonly account: string
  readonly vendor: string
  readonly upstreamModel: string
  readonly to: 'open' | 'closed'
  /** Of the failure that opened it, in a word of ours. */
  readonly reason: string
  readonly openedAtMs: number
}

/** Where operators see which circuits are open, of all gateways. */
export interface CircuitBoard {
  /** The last change of each circuit alone counts. */
  write(changes: readonly CircuitChange[]): Promise<void>
}

/** How an account is doing: what the gateways last said of it. */
export interface AccountCircuits {
  readonly accountId: Uuid
  readonly models: readonly string[]
  readonly gateways: number
  readonly openedAtMs: number
  /** The most recent. */
  readonly reason: string
}
