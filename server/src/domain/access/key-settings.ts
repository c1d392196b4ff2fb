import type { SpendPeriod } from '#domain/limits/spend-period.ts'
import { type NanoUsd, nullableUsdJson } from '#domain/money/nano-usd.ts'
import type { JsonObject, JsonValue } from '#lib/json.ts'

/** The settings of a key that can be changed later. */
export interface KeySettings {
  readonly enabled: boolean
  /** The key's own limit, or null for none. */
  readonly limit: NanoUsd | null
  /** The period of the limit, or null for the key's whole life. Only set with a limit. */
  readonly period: SpendPeriod | null
  readonly allowedCidrs: readonly string[]
  /** Whether requests continue at the paid price after a free quota is exhausted. */
  readonly freeFallback: boolean
  /** Time that answers stay cached. Null uses the organization's setting, and 0 turns the cache off. */
  readonly cacheTtlSeconds: number | null
}

/** Default settings of a new key. */
export const newKeySettings: KeySettings = {
  enabled: true,
  limit: null,
  period: null,
  allowedCidrs: [],
  freeFallback: true,
  cacheTtlSeconds: null,
}

/** Missing fields stay unchanged. */
export type KeyChange = Partial<KeySettings>

/** Returns undefined if a period is set without a limit. */
export function changeSettings(before: KeySettings, change: KeyChange): KeySettings | undefined {
  const after = { ...before, ...change }
  if (after.limit !== null) return after
  if ((change.period ?? null) !== null) return undefined
  return { ...after, period: null }
}

/** Whether the key's windows must be recounted: nothing counts in them while a limit is off or different. */
export function hasOtherCap(before: KeySettings, after: KeySettings): boolean {
  return before.limit !== after.limit || before.period !== after.period
}

/** The fields that differ, for the audit log; null if none does. */
export function settingsDifference(
  before: KeySettings,
  after: KeySettings,
): { before: JsonObject; after: JsonObject } | null {
  const [old, current] = [settingsJson(before), settingsJson(after)]
  const changed = Object.keys(current).filter((name) => JSON.stringify(old[name]) !== JSON.stringify(current[name]))
  if (changed.length === 0) return null
  return { before: pick(old, changed), after: pick(current, changed) }
}

function settingsJson(settings: KeySettings): Record<string, JsonValue> {
  return {
    enabled: settings.enabled,
    spendLimitUsd: nullableUsdJson(settings.limit),
    spendLimitPeriod: settings.period,
    allowedCidrs: [...settings.allowedCidrs],
    freeFallback: settings.freeFallback,
    cacheTtlSeconds: settings.cacheTtlSeconds,
  }
}

function pick(fields: Record<string, JsonValue>, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, fields[name]]))
}
