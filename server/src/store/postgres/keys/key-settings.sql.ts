import type { KeySettings } from '#domain/access/key-settings.ts'
import type { SpendPeriod } from '#domain/limits/spend-period.ts'
import { readNullableNano } from '../column-values.ts'

/** The columns of `KeySettings`. Every statement that reads or writes a key's settings is built from this file. */
export interface KeySettingsRow {
  enabled: boolean
  spend_limit_nano: string | null
  spend_limit_period: SpendPeriod | null
  allowed_cidrs: string[]
  free_fallback: boolean
  cache_ttl_seconds: number | null
}

export function readKeySettings(row: KeySettingsRow): KeySettings {
  return {
    enabled: row.enabled,
    limit: readNullableNano(row.spend_limit_nano),
    period: row.spend_limit_period,
    allowedCidrs: row.allowed_cidrs,
    freeFallback: row.free_fallback,
    cacheTtlSeconds: row.cache_ttl_seconds,
  }
}

/** The value that is written to each column, in the order of the statements. */
const writers: Readonly<Record<keyof KeySettingsRow, (settings: KeySettings) => unknown>> = {
  enabled: ({ enabled }) => enabled,
  spend_limit_nano: ({ limit }) => limit,
  spend_limit_period: ({ period }) => period,
  allowed_cidrs: ({ allowedCidrs }) => allowedCidrs,
  free_fallback: ({ freeFallback }) => freeFallback,
  cache_ttl_seconds: ({ cacheTtlSeconds }) => cacheTtlSeconds,
}

export const keySettingsColumns: readonly string[] = Object.keys(writers)

export function keySettingsValues(settings: KeySettings): unknown[] {
  return Object.values(writers).map((write) => write(settings))
}
