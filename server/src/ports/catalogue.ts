import type { AuditEntry } from '#domain/audit/audit-entry.ts'
import type { AnnouncedModel } from '#domain/catalogue/announced-model.ts'
import type { Catalogue } from '#domain/catalogue/catalogue.ts'
import type { CatalogueRow, PriceRow } from '#domain/catalogue/catalogue-row.ts'
import type { Uuid } from '#lib/uuid.ts'

/** Stores which models can be called and their prices. */
export interface CatalogueStore {
  /** The whole catalogue, from one snapshot. */
  load(): Promise<Catalogue>
  /** All rows or none. Prices are never edited: a changed price is added, and the newest is in force. */
  import(rows: readonly CatalogueRow[], nowMs: number, options?: ImportOptions): Promise<ImportReport>
  /** Advances with every import. */
  revision(): Promise<number>
  /**
   * Every price that a model ever had, by provider, the newest first. A price without units means that the price was
   * withdrawn.
   */
  priceHistory(modelId: string): Promise<readonly PriceVersion[]>
}

interface PriceVersion extends PriceRow {
  readonly validFromMs: number
}

export interface ImportOptions {
  /** The file is complete: models that it does not name are unlisted. They can still be called. */
  readonly replace?: boolean
  /** Models of a complete file that are not imported. They stay as they are. */
  readonly kept?: readonly string[]
  /** The catalogue that the rows were derived from. If it has changed, the import is rejected. */
  readonly expectedRevision?: number
  /** Written to the audit log together with the import. */
  readonly entry?: AuditEntry
  /** The changed models as they were, so that the import can be undone. */
  readonly before?: readonly CatalogueRow[]
  /** The id of the past import that this one undoes. It cannot be undone again. */
  readonly undoes?: Uuid
  /** What customers can be told about this import, and whether the operator wants that. */
  readonly announcement?: { readonly models: readonly AnnouncedModel[]; readonly isWanted: boolean }
}

/** The imports that can be undone. */
export interface CatalogueImports {
  findLast(): Promise<PastImport | null>
}

export interface PastImport {
  readonly id: Uuid
  readonly importedAtMs: number
  /** The catalogue right after it. */
  readonly revision: number
  readonly before: readonly CatalogueRow[]
}

export interface ImportReport {
  readonly models: number
  /** Active offers of the imported models. */
  readonly offers: number
  readonly pricesAdded: number
  /** Prices that the file no longer states. Requests that need them are rejected from now on. */
  readonly pricesWithdrawn: number
  /** Prices that did not change. */
  readonly unchanged: number
  /** Imported models past their retirement date. */
  readonly retired: number
  /** Models that `replace` unlisted. */
  readonly unlisted: number
  /** Models whose customers are told of the change. */
  readonly announced: number
}
