/** Drops what has been kept for long enough, whole days and months at a time. One worker at a time does. */
export interface Retention {
  /** The oldest day of requests, once it ended more than so many days ago. */
  dropDay(keepDays: number): Promise<DropOutcome>
  /** The oldest month of hourly sums, once it ended more than so many months ago. */
  dropMonth(keepMonths: number): Promise<DropOutcome>
}

/**
 * `nothing` is old enough, or another worker is at it; it is `held` back, because it is still to be summed up or sent; or the
 * table was `busy`, and nobody shall wait for that. A partition is named as Postgres knows it.
 */
export type DropOutcome =
  | { readonly kind: 'dropped' | 'held'; readonly partition: string }
  | { readonly kind: 'nothing' | 'busy' }
