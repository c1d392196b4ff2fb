/** The message to the flooding process. */
export interface FloodOrder {
  readonly kinds: readonly FloodKind[]
  readonly url: string
  /** The attacker also has an account. */
  readonly key: string
  /** The number of connections that each holding kind keeps open. */
  readonly connections: number
}

/**
 * - `silent`: connections that send nothing.
 * - `slow heads`: a header now and then, without end.
 * - `slow bodies`: a byte now and then of a body of 10 MB, half of them with a valid key.
 * - `bombs`: bodies of 9.8 MB that are dear to read, one after another.
 * - `names`: orders of videos that name hosts whose DNS servers do not answer.
 */
export const floodKinds = ['silent', 'slow heads', 'slow bodies', 'bombs', 'names'] as const
export type FloodKind = (typeof floodKinds)[number]
