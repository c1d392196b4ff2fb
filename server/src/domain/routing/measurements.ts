import type { Candidate } from './candidates.ts'

/** A provider's recent performance with a model, over all processes. Null means not measured. */
export interface Measured {
  /** Time to first token. */
  readonly latencyMs: { readonly median: number; readonly p95: number } | null
  readonly tokensPerSecond: { readonly median: number; readonly p95: number } | null
}

export const unmeasured: Measured = { latencyMs: null, tokensPerSecond: null }

export type Measurements = (candidate: Candidate) => Measured
