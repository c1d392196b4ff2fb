import { isFreeEntry, type Model } from '#domain/catalogue/model.ts'
import { type FreeLimits, freeRules } from '#domain/limits/free-quota.ts'

/** What operators say of free models. */
export interface FreeModels {
  readonly revision: number
  readonly byModel: ReadonlyMap<string, FreeModel>
}

export interface FreeModel extends FreeLimits {
  readonly enabled: boolean
}

export const noFreeModels: FreeModels = { revision: 0, byModel: new Map() }

/** The quota within which a model is free; null where it is always paid for. */
export function freeLimitsOf(model: Model, { byModel }: FreeModels): FreeLimits | null {
  const row = byModel.get(model.id)
  if (!isFreeEntry(model)) return row?.enabled === true ? row : null
  if (row === undefined) return freeRules
  // It is never charged for, so that nothing is left of one which is not to be free.
  return row.enabled ? row : { requestsPerMinute: 0, unitsPerDay: 0 }
}
