import type { CanonicalCall } from './call.ts'

/** Whether the client marked parts of the prompt for caching. */
export function hasCacheMark({ system, turns, tools }: CanonicalCall): boolean {
  const holders: readonly object[] = [...system, ...tools, ...turns.flatMap((turn) => turn.parts)]
  return holders.some((holder) => 'cache' in holder && holder.cache !== undefined)
}
