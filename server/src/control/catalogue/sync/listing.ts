import type { IsoDate, StatedPrice } from '#domain/catalogue/catalogue-row.ts'
import type { ModelKind, OutputModality } from '#domain/catalogue/model.ts'

/** What a public source says of one provider's model, in our words. Null is always: the source does not say. */
export interface ListedOffer {
  readonly provider: string
  /** Region, where the source quotes several; empty for the plain offer. */
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

/** A whole source. */
export interface Listing {
  readonly source: string
  readonly offers: readonly ListedOffer[]
}

/** Reads the parsed text of a source, whose numbers are texts. Providers that we do not know are passed over. */
export type ReadListing = (source: unknown) => readonly ListedOffer[]
