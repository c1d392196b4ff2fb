import type { MutateStructure } from './engine/structures.ts'

/** One reader of untrusted bytes, and its invariants. */
export interface FuzzTarget {
  readonly name: string
  /** Inputs of a long run. All targets together have two million, mostly where an input is cheap. */
  readonly runs: number
  /** The folder of seeds, if not the target's own. */
  readonly corpus?: string
  /** Keeps most mutated inputs well-formed, so that they pass the first parser. */
  readonly mutate?: MutateStructure
  /** Meaningful words for this target. */
  readonly words?: readonly string[]
  /** The maximum size of an input. */
  readonly bytesMax?: number
  /** Throws if an invariant is violated. It catches allowed errors itself. */
  readonly run: (input: Buffer) => void | Promise<void>
  /** Whether the target's retained memory cannot be distinguished from a leak, such as connection pools. */
  readonly keepsMemory?: true
  readonly open?: () => Promise<void>
  readonly close?: () => Promise<void>
}
