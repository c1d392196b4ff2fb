import type { Actor, AuditEntry } from '#domain/audit/audit-entry.ts'
import type { ChainedEntry, ChainHead } from '#domain/audit/chained-entry.ts'
import type { JsonValue } from '#lib/json.ts'
import type { Uuid } from '#lib/uuid.ts'

/** Appends events outside a change, such as a filter match. Changes append in their own transaction. */
export interface AuditTrail {
  append(entry: AuditEntry): Promise<void>
}

/** Reads the entries of an organization's log that it may see. */
export interface AuditArchive {
  /** Newest first. */
  list(query: AuditQuery): Promise<AuditRecord[]>
  /** The columns that the hashes cover, in sequence order, and the head of the same moment. */
  readChain(query: ChainQuery): Promise<{ readonly entries: ChainedEntry[]; readonly head: ChainHead | null }>
}

export interface ChainQuery {
  readonly chainId: Uuid
  /** Only entries with a higher sequence number; null from the beginning. */
  readonly after: bigint | null
  readonly limit: number
}

export interface AuditQuery extends AuditFilter {
  readonly chainId: Uuid
  /** Only entries with a lower sequence number. */
  readonly before: bigint | null
  readonly limit: number
}

export interface AuditFilter {
  /** An action, or a prefix of actions if it ends with a dot. */
  readonly action: string | null
  readonly actorId: string | null
  /** An id, an email address, or a name as the log has it. */
  readonly actor: string | null
  /** An id, or what operators call the object: an email address, a slug, the name of an account, or a model. */
  readonly target: string | null
  /** Start time, and the exclusive end time. */
  readonly fromMs: number | null
  readonly toMs: number | null
}

export interface AuditRecord {
  readonly id: Uuid
  readonly sequence: bigint
  /** ISO 8601 with microseconds, in UTC. */
  readonly at: string
  readonly actor: Actor
  readonly action: string
  readonly target: { readonly kind: string; readonly id: string } | null
  readonly before: JsonValue
  readonly after: JsonValue
  readonly details: JsonValue
  readonly requestId: string | null
  /** Hexadecimal. */
  readonly hash: string
}

/** The stored chains, for verification. */
export interface AuditChains {
  /** Every chain that has an entry or a head. */
  list(): Promise<Uuid[]>
  readHead(chainId: Uuid): Promise<ChainHead | null>
  /** In sequence order. */
  readEntries(query: ChainQuery): Promise<ChainedEntry[]>
}
