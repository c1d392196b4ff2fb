import { isFreeEntry, type Model } from '#domain/catalogue/model.ts'
import { type FreeLimits, freeRules } from '#domain/limits/free-quota.ts'

/** The operators' settings for free models. */
export interface FreeModels {
  readonly revision: number
  readonly byModel: ReadonlyMap<string, FreeModel>
}

export interface FreeModel extends FreeLimits {
  readonly enabled: boolean
}

export const noFreeModels: FreeModels = { revision: 0, byModel: new Map() }

/** The quota within which a model is free; null if it is always paid. */
export function freeLimitsOf(model: Model, { byModel }: FreeModels): FreeLimits | null {
  const row = byModel.get(model.id)
  if (!isFreeEntry(model)) return row?.enabled === true ? row : null
  if (row === undefined) return freeRules
  // A free model is never charged, so a disabled one gets an empty quota.
  return row.enabled ? row : { requestsPerMinute: 0, unitsPerDay: 0 }
}
