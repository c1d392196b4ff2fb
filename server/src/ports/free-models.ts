import type { AuditEntry } from '#domain/audit/audit-entry.ts'
import type { FreeModel } from '#domain/routing/free-models.ts'
import type { JsonObject } from '#lib/json.ts'

/** Which models are free, and within which quotas. Every change moves a revision and is audited in the same transaction. */
export interface FreeModelBook {
  list(): Promise<readonly (FreeModel & { readonly modelId: string })[]>
  /** What is left out stays as it is, or is as usual for a new one. */
  set(modelId: string, change: Partial<FreeModel>, describe: DescribeFreeModel): Promise<FreeModel>
  /** False: there was none. */
  remove(modelId: string, describe: DescribeFreeModel): Promise<boolean>
}

export type DescribeFreeModel = (states: { before?: JsonObject; after?: JsonObject }) => AuditEntry
