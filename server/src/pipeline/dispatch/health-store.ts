import type { Candidate } from '#domain/routing/candidates.ts'
import {
  type HealthRules,
  type HealthVerdict,
  healthy,
  judgeHealth,
  judgeLastResort,
  noteFailure,
  noteOpened,
  noteSuccess,
  noteThrottle,
  type ProviderHealth,
} from '#domain/routing/provider-health.ts'
import type { OwnKeyNotes } from './own-key-notes.ts'

/** The health of every account and model that this process has used. */
export interface HealthStore {
  judge(candidate: Candidate): HealthVerdict
  /** For a request that has no other candidate left. */
  judgeLastResort(candidate: Candidate): HealthVerdict
  /** Runs a probe; others can wait for its end. */
  probe<T>(candidate: Candidate, ask: () => Promise<T>): Promise<T>
  /** Resolves when a probe at one of these has ended; null when there is none. */
  newsOf(candidates: readonly Candidate[]): Promise<void> | null
  /** A stream has begun, which may still break. */
  opened(candidate: Candidate): void
  succeeded(candidate: Candidate): void
  /** The reason is a word of ours, for the owner of the provider account. */
  failed(candidate: Candidate, reason: string): void
  /** Null: it did not say for how long. Gives the pause that it gets. */
  throttled(candidate: Candidate, askedMs: number | null): number
}

export function createHealthStore(
  rules: HealthRules,
  nowMs: () => number,
  notes: Pick<OwnKeyNotes, 'succeeded' | 'failed'> = { succeeded: () => {}, failed: () => {} },
): HealthStore {
  const store = new Map<string, ProviderHealth>()
  const probes = new Map<string, Promise<void>>()
  function healthOf(candidate: Candidate): ProviderHealth {
    const key = keyOf(candidate)
    const known = store.get(key)
    if (known !== undefined) return known
    const fresh = healthy()
    store.set(key, fresh)
    return fresh
  }
  return {
    judge: (candidate) => judgeHealth(healthOf(candidate), rules, nowMs()),
    judgeLastResort: (candidate) => judgeLastResort(healthOf(candidate), rules, nowMs()),
    probe: async (candidate, ask) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      const key = keyOf(candidate)
      probes.set(key, promise)
      try {
        return await ask()
      } finally {
        if (probes.get(key) === promise) probes.delete(key)
        resolve()
      }
    },
    newsOf: (candidates) => {
      const running = candidates.map((candidate) => probes.get(keyOf(candidate))).filter((probe) => probe !== undefined)
      return running.length === 0 ? null : Promise.race(running)
    },
    opened: (candidate) => noteOpened(healthOf(candidate), rules),
    succeeded: (candidate) => {
      noteSuccess(healthOf(candidate))
      if (candidate.billing === 'own_key') notes.succeeded(candidate.account.id)
    },
    failed: (candidate, reason) => {
      noteFailure(healthOf(candidate), rules, nowMs())
      if (candidate.billing === 'own_key') notes.failed(candidate.account.id, reason)
    },
    throttled: (candidate, askedMs) => {
      if (candidate.billing === 'own_key') notes.failed(candidate.account.id, 'upstream_rate_limited')
      return noteThrottle(healthOf(candidate), askedMs, nowMs())
    },
  }
}

function keyOf({ account, upstreamModel }: Candidate): string {
  return `${account.id} ${upstreamModel}`
}
