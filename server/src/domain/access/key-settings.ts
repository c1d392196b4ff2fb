import type { SpendPeriod } from '#domain/limits/spend-period.ts'
import { type NanoUsd, nullableUsdJson } from '#domain/money/nano-usd.ts'
import type { JsonObject, JsonValue } from '#lib/json.ts'

/** What can be changed about a key after it was made. */
export interface KeySettings {
  readonly enabled: boolean
  /** Null: no cap of its own. */
  readonly limit: NanoUsd | null
  /** Null: over the key's whole life. Only where there is a limit. */
  readonly period: SpendPeriod | null
  readonly allowedCidrs: readonly string[]
  /** Whether calls go on at the paid price when a free quota is used up. */
  readonly freeFallback: boolean
}

/** What a new key has where its terms say nothing else. */
export const newKeySettings: KeySettings = {
  enabled: true,
  limit: null,
  period: null,
  allowedCidrs: [],
  freeFallback: true,
}

/** Fields that are left out stay as they are. */
export type KeyChange = Partial<KeySettings>

/** Undefined: a period was named, but there is no limit that it could be the period of. */
export function changeSettings(before: KeySettings, change: KeyChange): KeySettings | undefined {
  const after = { ...before, ...change }
  if (after.limit !== null) return after
  if ((change.period ?? null) !== null) return undefined
  return { ...after, period: null }
}

/** Whether its windows must be counted anew: while a cap is off, or another one, nothing counts in them. */
export function hasOtherCap(before: KeySettings, after: KeySettings): boolean {
  return before.limit !== after.limit || before.period !== after.period
}

/** The fields that differ, as the audit log shows them; null where none does. */
export function settingsDifference(
  before: KeySettings,
  after: KeySettings,
): { before: JsonObject; after: JsonObject } | null {
  const [old, current] = [settingsJson(before), settingsJson(after)]
  const changed = Object.keys(current).filter((name) => JSON.stringify(old[name]) !== JSON.stringify(current[name]))
  if (changed.length === 0) return null
  return { before: pick(old, changed), after: pick(current, changed) }
}

function settingsJson({ enabled, limit, period, allowedCidrs, freeFallback }: KeySettings): Record<string, JsonValue> {
  return {
    enabled,
    spendLimitUsd: nullableUsdJson(limit),
    spendLimitPeriod: period,
    allowedCidrs: [...allowedCidrs],
    freeFallback,
  }
}

function pick(fields: Record<string, JsonValue>, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, fields[name]]))
}
