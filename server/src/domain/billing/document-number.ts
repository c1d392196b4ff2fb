/** Where a document stands in the numbers of its seller. */
export interface DocumentPlace {
  readonly series: string
  readonly year: number
  /** Counts from one, without gaps. */
  readonly serial: number
}

/** Such as `WEIR-2026-000042`. A serial of more than six digits is written in full. */
export function numberOf({ series, year, serial }: DocumentPlace): string {
  return `${series}-${year}-${String(serial).padStart(6, '0')}`
}

/** Payments of a provider's test mode move no money, so they take no number of the seller's own. */
export function seriesOf(prefix: string, { isLive }: { readonly isLive: boolean }): string {
  return isLive ? prefix : `TEST-${prefix}`
}

/** The year (UTC) in which a document is numbered. */
export function yearOf(issuedAtMs: number): number {
  return new Date(issuedAtMs).getUTCFullYear()
}
