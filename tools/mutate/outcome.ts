import type { Mutant } from './instrument.ts'
import { deadOf, type Entry } from './switch/journal.ts'

/** The outcome of one mutant. */
export interface Outcome {
  readonly mutant: Mutant
  /** `unreached`: no test that ran executed it. */
  readonly fate: 'noticed' | 'survived' | 'unreached'
  /** Titles of the tests that caught the mutant. */
  readonly noticedBy: readonly string[]
}

export function outcomesOf(mutants: readonly Mutant[], entries: readonly Entry[]): Outcome[] {
  const dead = deadOf(entries)
  const reached = new Set<string>()
  const noticedBy = new Map<string, string[]>()
  for (const entry of entries) {
    if (entry.kind === 'file') for (const id of entry.reachedOutside) reached.add(id)
    if (entry.kind !== 'test') continue
    for (const { id, hasDied } of entry.attempts) {
      reached.add(id)
      if (hasDied) noticedBy.set(id, [...(noticedBy.get(id) ?? []), entry.test])
    }
  }
  return mutants.map((mutant) => {
    const fate = dead.has(mutant.id) ? 'noticed' : reached.has(mutant.id) ? 'survived' : 'unreached'
    return { mutant, fate, noticedBy: noticedBy.get(mutant.id) ?? [] }
  })
}
