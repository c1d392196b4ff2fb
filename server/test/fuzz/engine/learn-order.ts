import type { NotedFinding } from './fuzz-run.ts'

export interface LearnOrder {
  readonly target: string
  readonly seed: number
  readonly runs: number
}

export interface Learnt {
  /** Inputs that reached blocks beyond the seeds. */
  readonly kept: readonly Uint8Array[]
  readonly words: readonly string[]
  readonly inputs: number
  /** Functions and blocks that the seeds reach, and those that only mutated inputs reached. */
  readonly seedBlocks: number
  readonly newBlocks: number
  readonly findings: readonly Pick<NotedFinding, 'kind' | 'message' | 'path'>[]
}
