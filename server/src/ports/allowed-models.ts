import type { AllowedModelsLayers } from '#domain/access/resolve-allowed-models.ts'
import type { AuditEntry } from '#domain/audit/audit-entry.ts'
import type { Uuid } from '#lib/uuid.ts'

/** Whose list of allowed models. */
export type ModelListOwner =
  | { readonly kind: 'organization'; readonly organizationId: Uuid }
  | { readonly kind: 'team'; readonly organizationId: Uuid; readonly teamId: Uuid }
  | { readonly kind: 'member'; readonly organizationId: Uuid; readonly memberId: Uuid }

export interface AllowedModelsBook {
  /** The owner's list with those above it; null: there is no such owner. */
  find(owner: ModelListOwner): Promise<AllowedModelsLayers | null>
  /** Replaces the owner's own list, and appends what the entry for it says. False: there is no such owner. */
  replace(owner: ModelListOwner, patterns: readonly string[], describe: DescribeChange): Promise<boolean>
}

/** The audit entry of a change, or null where nothing has changed. */
export type DescribeChange = (before: readonly string[]) => AuditEntry | null
