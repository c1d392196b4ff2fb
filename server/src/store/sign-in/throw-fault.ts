import { isAPIError } from 'better-auth/api'

/** A refusal is an answer like any other. The library would print anything else to the console; it is ours to tell of. */
export function throwFault(error: unknown): void {
  if (!isAPIError(error)) throw error
}
