/** What a test model does, as the bytes and silences of an upstream that speaks OpenAI's API. */
export interface Script {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Null: the upstream never answers, not even with headers. */
  readonly headersAfterMs: number | null
  readonly steps: readonly Step[]
}

/** `end` closes the answer cleanly, `cut` resets the connection, `stall` is silence for good. */
export type Step =
  | { readonly kind: 'bytes'; readonly text: string | Buffer; readonly afterMs: number }
  | { readonly kind: 'end' }
  | { readonly kind: 'cut' }
  | { readonly kind: 'stall' }
