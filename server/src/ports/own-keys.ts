import type { AuditEntry } from '#domain/audit/audit-entry.ts'
import type { FallbackMode, OwnKeyProtocol } from '#domain/routing/own-keys.ts'
import type { Sealed } from '#lib/seal.ts'
import type { Uuid } from '#lib/uuid.ts'

/** What an organization says about one of its own keys with providers. */
export interface OwnKeyTerms {
  readonly name: string
  readonly baseUrl: string
  readonly protocol: OwnKeyProtocol
  readonly fallbackMode: FallbackMode
  readonly mappings: readonly ModelMapping[]
  /** Empty: every key of the organization. */
  readonly scopedKeyIds: readonly Uuid[]
  readonly enabled: boolean
}

export interface ModelMapping {
  /** Our id. */
  readonly model: string
  readonly upstreamModel: string
  readonly enabled: boolean
}

/** How calls with it have gone lately. */
export interface OwnKeyHealth {
  readonly consecutiveFailures: number
  readonly lastError: string | null
  /** Null: it was never used. */
  readonly lastCheckedAtMs: number | null
}

/** As it is kept, without the provider's key itself. */
export interface StoredOwnKey extends OwnKeyTerms {
  readonly id: Uuid
  readonly keyMask: string
  readonly health: OwnKeyHealth
  readonly createdAtMs: number
  readonly updatedAtMs: number
}

export interface NewOwnKey extends OwnKeyTerms {
  readonly id: Uuid
  readonly keyMask: string
  readonly credential: Sealed
  readonly health: OwnKeyHealth
}

export interface OwnKeyStore {
  /** The oldest first. */
  list(organizationId: Uuid): Promise<StoredOwnKey[]>
  /**
   * Commits all that `work` does, or nothing of it, and moves the revision. Changes within one organization follow one
   * another.
   */
  change<Result>(organizationId: Uuid, work: (keys: OpenOwnKeys) => Promise<Result>): Promise<Result>
}

/** An organization's own keys while they are being changed. */
export interface OpenOwnKeys {
  list(): Promise<StoredOwnKey[]>
  insert(key: NewOwnKey): Promise<void>
  update(id: Uuid, terms: OwnKeyTerms): Promise<void>
  delete(id: Uuid): Promise<void>
  /** Those among the ids that are keys of the organization and not revoked. */
  findOrganizationKeys(ids: readonly Uuid[]): Promise<readonly Uuid[]>
  append(entry: AuditEntry): Promise<void>
}

/** What was seen of a key since it was last noted. */
export interface OwnKeyNote {
  readonly id: Uuid
  /** Whether something succeeded before the failures that are counted here. */
  readonly hadSuccess: boolean
  readonly failures: number
  readonly lastError: string | null
}

export type NoteOwnKeys = (notes: readonly OwnKeyNote[]) => Promise<void>

/**
 * Asks a provider which models a key can call, in the turn of its organization; throws with a message for the owner of
 * the key.
 */
export type ListProviderModels = (query: {
  readonly id: Uuid
  readonly organizationId: Uuid
  readonly protocol: OwnKeyProtocol
  readonly baseUrl: string
  readonly apiKey: string
}) => Promise<readonly string[]>
