import type { CanonicalCall } from './call.ts'

/** Whether a client marked what a prompt cache should keep. */
export function hasCacheMark({ system, turns, tools }: CanonicalCall): boolean {
  const holders: readonly object[] = [...system, ...tools, ...turns.flatMap((turn) => turn.parts)]
  return holders.some((holder) => 'cache' in holder && holder.cache !== undefined)
}
