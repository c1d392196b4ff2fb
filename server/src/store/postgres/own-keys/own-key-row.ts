import type { FallbackMode, OwnKeyProtocol } from '#domain/routing/own-keys.ts'
import type { ModelMapping, StoredOwnKey } from '#ports/own-keys.ts'

export interface OwnKeyRow {
  id: string
  name: string
  base_url: string
  key_mask: string
  protocol: OwnKeyProtocol
  fallback_mode: FallbackMode
  mappings: ModelMapping[]
  scoped_key_ids: string[]
  enabled: boolean
  consecutive_failures: number
  last_error: string | null
  last_checked_at: Date | null
  created_at: Date
  updated_at: Date
}

export function readOwnKey(row: OwnKeyRow): StoredOwnKey {
  return {
    id: row.id,
    name: row.name,
    baseUrl: row.base_url,
    keyMask: row.key_mask,
    protocol: row.protocol,
    fallbackMode: row.fallback_mode,
    mappings: row.mappings,
    scopedKeyIds: row.scoped_key_ids,
    enabled: row.enabled,
    health: {
      consecutiveFailures: row.consecutive_failures,
      lastError: row.last_error,
      lastCheckedAtMs: row.last_checked_at?.getTime() ?? null,
    },
    createdAtMs: row.created_at.getTime(),
    updatedAtMs: row.updated_at.getTime(),
  }
}
