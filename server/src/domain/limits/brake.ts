/** The platform's spend brake: while it is engaged, no inference request is dispatched. */
export type BrakeState =
  | { readonly engaged: false }
  | { readonly engaged: true; readonly retryAfterS: 30 | 300; readonly reason: string | null }
