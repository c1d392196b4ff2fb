import type { Candidate } from './candidates.ts'

/** How a host has done with a model lately, over all processes. Null: not measured. */
export interface Measured {
  /** Until the first token. */
  readonly latencyMs: { readonly median: number; readonly p95: number } | null
  readonly tokensPerSecond: { readonly median: number; readonly p95: number } | null
}

export const unmeasured: Measured = { latencyMs: null, tokensPerSecond: null }

export type Measurements = (candidate: Candidate) => Measured
