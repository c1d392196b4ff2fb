import type { Candidate } from '#domain/routing/candidates.ts'
import { setBounded } from '#lib/set-bounded.ts'

/**
 * Upstreams that ignored their cap, or counted more tokens than a prompt can have. Only a hold for the model's maximum
 * covers them. This process remembers each for a day.
 */
export interface InexactUpstreams {
  has(candidate: Candidate): boolean
  note(candidate: Candidate): void
}

const dayMs = 86_400_000
const upstreamsMax = 10_000

export function createInexactUpstreams(nowMs: () => number): InexactUpstreams {
  const untilMs = new Map<string, number>()
  return {
    has: (candidate) => untilMs.size > 0 && (untilMs.get(keyOf(candidate)) ?? 0) > nowMs(),
    note: (candidate) => setBounded(untilMs, keyOf(candidate), nowMs() + dayMs, upstreamsMax),
  }
}

function keyOf({ account, model }: Candidate): string {
  return `${account.id} ${model.id}`
}
