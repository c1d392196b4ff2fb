/** A test model's behavior, as the bytes and pauses of an upstream with OpenAI's API. */
export interface Script {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Null means that the upstream never responds, not even with headers. */
  readonly headersAfterMs: number | null
  readonly steps: readonly Step[]
}

/** `end` closes the response cleanly, `cut` resets the connection, `stall` stays silent forever. */
export type Step =
  | { readonly kind: 'bytes'; readonly text: string | Buffer; readonly afterMs: number }
  | { readonly kind: 'end' }
  | { readonly kind: 'cut' }
  | { readonly kind: 'stall' }
