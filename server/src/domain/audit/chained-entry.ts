import type { Uuid } from '#lib/uuid.ts'

/** A stored entry as its hash covers it: every column as text. */
export interface ChainedEntry {
  readonly chainId: Uuid
  /** From 1 on, without gaps. */
  readonly sequence: bigint
  readonly id: Uuid
  /** Seconds since 1970 with six decimals. */
  readonly epochS: string
  readonly actorKind: string
  readonly actorId: string | null
  readonly actorName: string | null
  readonly action: string
  readonly targetKind: string | null
  readonly targetId: string | null
  /** These three in the text form of Postgres' jsonb. */
  readonly before: string | null
  readonly after: string | null
  readonly details: string | null
  readonly requestId: string | null
  /** Hexadecimal; empty for the first of a chain. */
  readonly previousHash: string
  readonly hash: string
}

/** Where a chain ends, as the store keeps it beside the entries. */
export interface ChainHead {
  readonly sequence: bigint
  readonly hash: string
}
