import type { Reply } from '#test/setup/reply.ts'
import type { Inference } from './every-call.ts'
import { inferences } from './every-call.ts'
import type { OracleWorld } from './oracle-world.ts'

/**
 * Creates a situation, and returns how to call an endpoint in it: once, or in each of the ways that must all fail in
 * the same way.
 */
export type Situation = (world: OracleWorld) => Promise<Provoked>

export interface Provoked {
  ask(endpoint: string): Promise<readonly Reply[]>
  /** A pattern in the message. */
  readonly says?: RegExp
  /** A wallet with 25 dollars that must not be charged. */
  readonly walletId?: string
  /** Ends the situation, if it would affect the next one. */
  undo?(): Promise<void>
}

/** For situations that only occur at inference endpoints. */
export function onInference(ask: (endpoint: Inference) => Promise<Reply>): Provoked['ask'] {
  return async (endpoint) => [await ask(inferenceNamed(endpoint))]
}

export function inferenceNamed(name: string): Inference {
  const found = inferences.find((endpoint) => endpoint === name)
  if (found === undefined) throw new Error(`not an endpoint of inference: ${name}`)
  return found
}
