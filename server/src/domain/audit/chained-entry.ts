import type { Uuid } from '#lib/uuid.ts'

/** A stored entry as its hash covers it: every column as text. */
export interface ChainedEntry {
  readonly chainId: Uuid
  /** Starts at 1, without gaps. */
  readonly sequence: bigint
  readonly id: Uuid
  /** Unix seconds with six decimals. */
  readonly epochS: string
  readonly actorKind: string
  readonly actorId: string | null
  readonly actorName: string | null
  readonly action: string
  readonly targetKind: string | null
  readonly targetId: string | null
  /** These three are in the text form of Postgres' jsonb. */
  readonly before: string | null
  readonly after: string | null
  readonly details: string | null
  readonly requestId: string | null
  /** Hexadecimal; empty for the first entry of a chain. */
  readonly previousHash: string
  readonly hash: string
}

/** The end of a chain, which the store keeps separately from the entries. */
export interface ChainHead {
  readonly sequence: bigint
  readonly hash: string
}
