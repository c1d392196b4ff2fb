/** Judges whether texts may be sent to a model at all. Rejects where it can not tell. */
export interface Moderation {
  /** An answer that needs no waiting comes at once, because every request asks. */
  review(request: ModerationRequest): ModerationVerdict | Promise<ModerationVerdict>
}

export interface ModerationRequest {
  readonly texts: readonly string[]
}

export type ModerationVerdict = { readonly allowed: true } | BlockedVerdict

export interface BlockedVerdict {
  readonly allowed: false
  readonly categories: readonly string[]
  readonly source: 'built-in' | 'upstream'
  /** Where it shows: which of the texts, and where in it, as far as that is known. */
  readonly place: { readonly text: number; readonly start: number }
}
