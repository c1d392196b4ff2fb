import type { MutateStructure } from './engine/structures.ts'

/** One door that strangers' bytes come through, and what must hold for whatever they send. */
export interface FuzzTarget {
  readonly name: string
  /** Inputs of a long run. Together they are two million, most of them where an input takes little. */
  readonly runs: number
  /** The folder of seeds, where it is not the target's own. */
  readonly corpus?: string
  /** Keeps most mutated inputs well-formed, so that they come past the first parser. */
  readonly mutate?: MutateStructure
  /** Words that mean something here. */
  readonly words?: readonly string[]
  /** How large an input is blown up to at most. */
  readonly bytesMax?: number
  /** Throws where an invariant does not hold. What it allows itself to throw, it catches itself. */
  readonly run: (input: Buffer) => void | Promise<void>
  /** Whether what it keeps can not be told from a leak, such as pools of connections. */
  readonly keepsMemory?: true
  readonly open?: () => Promise<void>
  readonly close?: () => Promise<void>
}
