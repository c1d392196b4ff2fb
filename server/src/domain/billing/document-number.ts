/** The position of a document in its seller's numbering. */
export interface DocumentPlace {
  readonly series: string
  readonly year: number
  /** Starts at one, without gaps. */
  readonly serial: number
}

/** For example `WEIR-2026-000042`. A serial of more than six digits is written in full. */
export function numberOf({ series, year, serial }: DocumentPlace): string {
  return `${series}-${year}-${String(serial).padStart(6, '0')}`
}

/** Payments in a provider's test mode move no money, so they use a separate series. */
export function seriesOf(prefix: string, { isLive }: { readonly isLive: boolean }): string {
  return isLive ? prefix : `TEST-${prefix}`
}

/** The UTC year in which a document is numbered. */
export function yearOf(issuedAtMs: number): number {
  return new Date(issuedAtMs).getUTCFullYear()
}
