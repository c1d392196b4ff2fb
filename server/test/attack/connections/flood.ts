/** What the flooding process is told, over its channel. */
export interface FloodOrder {
  readonly kinds: readonly FloodKind[]
  /** Always on loopback. */
  readonly url: string
  /** The attacker has an account, too. */
  readonly key: string
  /** How many connections each kind that holds some keeps open. */
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
