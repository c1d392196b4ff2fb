import type { Candidate } from '#domain/routing/candidates.ts'
import {
  type CircuitState,
  circuitOf,
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
import type { CircuitChange } from '#ports/circuits.ts'
import type { OwnKeyNotes } from './own-key-notes.ts'
import type { CircuitReporter } from './report-circuit.ts'

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
  /** The circuit breakers of the platform's accounts, one for each account and model that was asked. */
  circuits(): SeenCircuit[]
}

export interface SeenCircuit {
  readonly account: string
  readonly vendor: string
  readonly state: CircuitState
}

export interface HealthNotes {
  readonly ownKeys?: Pick<OwnKeyNotes, 'succeeded' | 'failed'>
  readonly circuits?: Pick<CircuitReporter, 'report' | 'stillOpen'>
}

interface Kept {
  readonly health: ProviderHealth
  readonly candidate: Candidate
  /** Of the failure that opened the circuit, and when. */
  opened: { readonly reason: string; readonly atMs: number } | null
}

export function createHealthStore(rules: HealthRules, nowMs: () => number, notes: HealthNotes = {}): HealthStore {
  const store = new Map<string, Kept>()
  const probes = new Map<string, Promise<void>>()
  function keptOf(candidate: Candidate): Kept {
    const key = keyOf(candidate)
    const known = store.get(key)
    if (known !== undefined) return known
    const fresh = { health: healthy(), candidate, opened: null }
    store.set(key, fresh)
    return fresh
  }
  const healthOf = (candidate: Candidate): ProviderHealth => keptOf(candidate).health
  const noteCircuit = createNoteCircuit(rules, nowMs, notes.circuits)
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
    opened: (candidate) => {
      const kept = keptOf(candidate)
      noteOpened(kept.health, rules)
      noteCircuit(kept, '')
    },
    succeeded: (candidate) => {
      const kept = keptOf(candidate)
      noteSuccess(kept.health)
      noteCircuit(kept, '')
      if (candidate.billing === 'own_key') notes.ownKeys?.succeeded(candidate.account.id)
    },
    failed: (candidate, reason) => {
      const kept = keptOf(candidate)
      noteFailure(kept.health, rules, nowMs())
      noteCircuit(kept, reason)
      if (candidate.billing === 'own_key') notes.ownKeys?.failed(candidate.account.id, reason)
    },
    throttled: (candidate, askedMs) => {
      if (candidate.billing === 'own_key') notes.ownKeys?.failed(candidate.account.id, 'upstream_rate_limited')
      return noteThrottle(healthOf(candidate), askedMs, nowMs())
    },
    circuits: () => {
      const seen: SeenCircuit[] = []
      for (const [key, { health, candidate }] of store) {
        if (candidate.billing === 'own_key') continue
        const { name: account, vendor } = candidate.account
        const judged = circuitOf(health, rules, nowMs())
        // A probe keeps others out while it is under way.
        seen.push({ account, vendor, state: judged === 'open' && probes.has(key) ? 'half-open' : judged })
      }
      return seen
    },
  }
}

/** Compares a circuit with what was last said of it. */
function createNoteCircuit(
  rules: HealthRules,
  nowMs: () => number,
  reporter: HealthNotes['circuits'],
): (kept: Kept, reason: string) => void {
  return (kept, reason) => {
    const isOpen = kept.health.failuresInRow >= rules.failures
    const before = kept.opened
    if (!isOpen && before === null) return
    const opened = { reason: isOpen || before === null ? reason : before.reason, atMs: before?.atMs ?? nowMs() }
    kept.opened = isOpen ? opened : null
    // The owner of an own key sees in its listing how it is doing.
    if (kept.candidate.billing === 'own_key') return
    const change = changeOf(kept.candidate, opened, isOpen ? 'open' : 'closed')
    if (isOpen && before !== null) reporter?.stillOpen(change)
    else reporter?.report(change)
  }
}

function changeOf(
  { account, upstreamModel }: Candidate,
  { reason, atMs }: { readonly reason: string; readonly atMs: number },
  to: CircuitChange['to'],
): CircuitChange {
  return {
    accountId: account.id,
    account: account.name,
    vendor: account.vendor,
    upstreamModel,
    to,
    reason,
    openedAtMs: atMs,
  }
}

function keyOf({ account, upstreamModel }: Candidate): string {
  return `${account.id} ${upstreamModel}`
}
