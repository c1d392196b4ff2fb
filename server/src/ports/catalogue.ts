import type { AuditEntry } from '#domain/audit/audit-entry.ts'
import type { Catalogue } from '#domain/catalogue/catalogue.ts'
import type { CatalogueRow, PriceRow } from '#domain/catalogue/catalogue-row.ts'

/** Keeps what can be called and what it costs. */
export interface CatalogueStore {
  /** The whole of it, as of one moment. */
  load(): Promise<Catalogue>
  /** All rows or none. Prices are never edited: a changed one is added, and the newest holds. */
  import(rows: readonly CatalogueRow[], nowMs: number, options?: ImportOptions): Promise<ImportReport>
  /** Moves with every import. */
  revision(): Promise<number>
  /**
   * Every price that a model ever had, by its host, the newest first. One without units says that the price was
   * withdrawn.
   */
  priceHistory(modelId: string): Promise<readonly PriceVersion[]>
}

interface PriceVersion extends PriceRow {
  readonly validFromMs: number
}

export interface ImportOptions {
  /** The file is everything there is: models that it does not name are no longer listed. They can still be called. */
  readonly replace?: boolean
  /** The catalogue that the rows were made from. Another one by now refuses the import. */
  readonly expectedRevision?: number
  /** Stands in the audit log if the import does. */
  readonly entry?: AuditEntry
}

export interface ImportReport {
  readonly models: number
  /** Active ones of the imported models. */
  readonly offers: number
  readonly pricesAdded: number
  /** Prices that the file no longer states; what they priced is refused from now on. */
  readonly pricesWithdrawn: number
  /** Prices that stayed as they were. */
  readonly unchanged: number
  /** Of the imported models, those past their date. */
  readonly retired: number
  /** Models that `replace` took out of the listing. */
  readonly unlisted: number
}
