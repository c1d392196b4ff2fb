import type { Uuid } from '#lib/uuid.ts'

/** The circuit of a provider account and one of its models has opened or closed in this process. */
export interface CircuitChange {
  readonly accountId: Uuid
  readonly account: string
  readonly vendor: string
  readonly upstreamModel: string
  readonly to: 'open' | 'closed'
  /** The gateway's description of the failure that opened the circuit. */
  readonly reason: string
  readonly openedAtMs: number
}

/** Shows operators which circuits are open, over all gateways. */
export interface CircuitBoard {
  /** Only the last change of each circuit counts. */
  write(changes: readonly CircuitChange[]): Promise<void>
}

/** The state of an account, as last reported by the gateways. */
export interface AccountCircuits {
  readonly accountId: Uuid
  readonly models: readonly string[]
  readonly gateways: number
  readonly openedAtMs: number
  /** The reason of the most recent failure. */
  readonly reason: string
}
