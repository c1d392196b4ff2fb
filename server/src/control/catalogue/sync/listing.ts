import type { IsoDate, StatedPrice } from '#domain/catalogue/catalogue-row.ts'
import type { ModelKind, OutputModality } from '#domain/catalogue/model.ts'

/** A public source's data on one provider's model, in our terms. Null means that the source does not say. */
export interface ListedOffer {
  readonly provider: string
  /** The region if the source quotes several, or empty for the plain offer. */
  readonly variant: string
  readonly upstreamModel: string
  readonly name: string | null
  readonly kind: ModelKind | null
  readonly inputModalities: readonly string[] | null
  readonly outputModalities: readonly OutputModality[] | null
  readonly contextLength: number | null
  readonly maxCompletionTokens: number | null
  readonly price: StatedPrice | null
  readonly releaseDate: IsoDate | null
  readonly retiresOn: IsoDate | null
}

/** All offers of a source. */
export interface Listing {
  readonly source: string
  readonly offers: readonly ListedOffer[]
}

/** Reads the parsed text of a source, whose numbers are strings. Unknown providers are skipped. */
export type ReadListing = (source: unknown) => readonly ListedOffer[]
