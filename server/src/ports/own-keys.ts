import type { AuditEntry } from '#domain/audit/audit-entry.ts'
import type { FallbackMode, OwnKeyWay } from '#domain/routing/own-keys.ts'
import type { Sealed } from '#lib/seal.ts'
import type { Uuid } from '#lib/uuid.ts'

/** An organization's settings for one of its own provider keys. */
export interface OwnKeyTerms {
  readonly name: string
  readonly baseUrl: string
  /** How requests to the provider are built: as its protocol says, or as for this provider of ours. */
  readonly way: OwnKeyWay
  readonly fallbackMode: FallbackMode
  readonly mappings: readonly ModelMapping[]
  /** Empty for every key of the organization. */
  readonly scopedKeyIds: readonly Uuid[]
  readonly enabled: boolean
}

export interface ModelMapping {
  /** Our model id. */
  readonly model: string
  readonly upstreamModel: string
  readonly enabled: boolean
}

/** Recent results of requests with the key. */
export interface OwnKeyHealth {
  readonly consecutiveFailures: number
  readonly lastError: string | null
  /** Null if it was never used. */
  readonly lastCheckedAtMs: number | null
}

/** The stored key, without the provider's secret. */
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
   * Commits everything that `work` does, or nothing, and advances the revision. Changes within one organization are
   * serialized.
   */
  change<Result>(organizationId: Uuid, work: (keys: OpenOwnKeys) => Promise<Result>): Promise<Result>
}

/** An organization's own keys while they are being changed. */
export interface OpenOwnKeys {
  list(): Promise<StoredOwnKey[]>
  insert(key: NewOwnKey): Promise<void>
  update(id: Uuid, terms: OwnKeyTerms): Promise<void>
  delete(id: Uuid): Promise<void>
  /** The ids that are keys of the organization and not revoked. */
  findOrganizationKeys(ids: readonly Uuid[]): Promise<readonly Uuid[]>
  append(entry: AuditEntry): Promise<void>
}

/** The results of requests with a key since the last report. */
export interface OwnKeyNote {
  readonly id: Uuid
  /** Whether a request succeeded before the failures that are counted here. */
  readonly hadSuccess: boolean
  readonly failures: number
  readonly lastError: string | null
}

export type NoteOwnKeys = (notes: readonly OwnKeyNote[]) => Promise<void>

/**
 * Asks a provider which models a key can call, in the organization's turn. Throws with a message for the owner of the
 * key.
 */
export type ListProviderModels = (query: {
  readonly id: Uuid
  readonly organizationId: Uuid
  readonly way: OwnKeyWay
  readonly baseUrl: string
  readonly apiKey: string
}) => Promise<readonly string[]>
