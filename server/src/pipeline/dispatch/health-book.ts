import type { Candidate } from '#domain/routing/candidates.ts'
import {
  type HealthRules,
  type HealthVerdict,
  healthy,
  judgeHealth,
  noteFailure,
  noteSuccess,
  noteThrottle,
  type ProviderHealth,
} from '#domain/routing/provider-health.ts'

/** The health of every account and model that this process has used. */
export interface HealthBook {
  judge(candidate: Candidate): HealthVerdict
  succeeded(candidate: Candidate): void
  failed(candidate: Candidate): void
  throttled(candidate: Candidate, forMs: number): void
}

export function createHealthBook(rules: HealthRules, nowMs: () => number): HealthBook {
  const book = new Map<string, ProviderHealth>()
  function healthOf(candidate: Candidate): ProviderHealth {
    const key = `${candidate.account.id} ${candidate.upstreamModel}`
    const known = book.get(key)
    if (known !== undefined) return known
    const fresh = healthy()
    book.set(key, fresh)
    return fresh
  }
  return {
    judge: (candidate) => judgeHealth(healthOf(candidate), rules, nowMs()),
    succeeded: (candidate) => noteSuccess(healthOf(candidate)),
    failed: (candidate) => noteFailure(healthOf(candidate), rules, nowMs()),
    throttled: (candidate, forMs) => noteThrottle(healthOf(candidate), forMs, nowMs()),
  }
}
