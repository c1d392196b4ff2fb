import type { Candidate } from '#domain/routing/candidates.ts'
import {
  type CircuitState,
  type HealthRules,
  type HealthVerdict,
  judgeHealth,
  judgeLastResort,
  noteThrottle,
} from '#domain/routing/provider-health.ts'
import {
  isTripped,
  judgeFor,
  noteFailureOf,
  noteObjectionTo,
  noteOpenedFor,
  noteSuccessOf,
  sharedCircuitOf,
  type SharedHealth,
  wellShared,
} from '#domain/routing/shared-health.ts'
import { setBounded } from '#lib/set-bounded.ts'
import type { CircuitChange } from '#ports/circuits.ts'
import type { OwnKeyNotes } from './own-key-notes.ts'
import type { CircuitReporter } from './report-circuit.ts'

/** The health of every account and model that this process has used. The wallet identifies the payer. */
export interface HealthStore {
  judge(candidate: Candidate, payer: string): HealthVerdict
  /** For a request that has no other candidate left. */
  judgeLastResort(candidate: Candidate, payer: string): HealthVerdict
  /** Runs a probe. Others can wait for its end. */
  probe<T>(candidate: Candidate, ask: () => Promise<T>): Promise<T>
  /** Resolves when a probe of one of these candidates has ended. Null if no probe is running. */
  newsOf(candidates: readonly Candidate[]): Promise<void> | null
  /** A stream has started and may still break. */
  opened(candidate: Candidate, payer: string): void
  /** The upstream read the request and rejected it. */
  objected(candidate: Candidate, payer: string): void
  succeeded(candidate: Candidate): void
  failed(candidate: Candidate, failure: SeenFailure): void
  /** `askedMs` is the pause that the upstream asked for, or null if it named none. Returns the resulting pause. */
  throttled(candidate: Candidate, askedMs: number | null): number
  /** The circuits of the platform's accounts, one for each account and model that was used. */
  circuits(): SeenCircuit[]
}

interface SeenFailure {
  readonly payer: string
  /** The gateway's own description of the failure, for the owner of the provider account. */
  readonly reason: string
  /** The failure says nothing about requests of other payers. */
  readonly concernsRequestOnly?: boolean | undefined
}

export interface SeenCircuit {
  readonly account: string
  readonly vendor: string
  readonly state: CircuitState
}

interface HealthNotes {
  readonly ownKeys?: Pick<OwnKeyNotes, 'succeeded' | 'failed'>
  readonly circuits?: Pick<CircuitReporter, 'report' | 'stillOpen'>
}

interface Kept {
  readonly health: SharedHealth
  readonly candidate: Candidate
  /** The failure that opened the circuit, and its time. */
  opened: { readonly reason: string; readonly atMs: number } | null
}

// Organizations delete own keys, and a deleted key never succeeds again.
const failingOwnKeysMax = 10_000

export function createHealthStore(rules: HealthRules, nowMs: () => number, notes: HealthNotes = {}): HealthStore {
  const platform = new Map<string, Kept>()
  /** The latest failing keys. A healthy key needs no entry, as if the gateway had never used it. */
  const ownKeys = new Map<string, Kept>()
  const probes = createProbes()
  const storeOf = ({ billing }: Candidate): Map<string, Kept> => (billing === 'own_key' ? ownKeys : platform)
  function keptOf(candidate: Candidate): Kept {
    const key = keyOf(candidate)
    const kept = storeOf(candidate).get(key) ?? { health: wellShared(), candidate, opened: null }
    if (candidate.billing === 'own_key') setBounded(ownKeys, key, kept, failingOwnKeysMax)
    else platform.set(key, kept)
    return kept
  }
  const noteCircuit = createNoteCircuit(rules, nowMs, notes.circuits)
  const judge = (candidate: Candidate, payer: string, by: typeof judgeHealth): HealthVerdict => {
    const kept = storeOf(candidate).get(keyOf(candidate))
    if (kept === undefined) return unheardOf
    return judgeFor(kept.health, payerOf(candidate, payer), (health) => by(health, rules, nowMs()), nowMs())
  }
  const opened = (candidate: Candidate, payer: string): void => {
    const kept = keptOf(candidate)
    noteOpenedFor(kept.health, payerOf(candidate, payer), rules)
    noteCircuit(kept, null)
  }
  const succeeded = (candidate: Candidate): void => {
    if (candidate.billing === 'own_key') {
      ownKeys.delete(keyOf(candidate))
      return notes.ownKeys?.succeeded(candidate.account.id)
    }
    const kept = keptOf(candidate)
    noteSuccessOf(kept.health)
    noteCircuit(kept, null)
  }
  return {
    judge: (candidate, payer) => judge(candidate, payer, judgeHealth),
    judgeLastResort: (candidate, payer) => judge(candidate, payer, judgeLastResort),
    probe: probes.probe,
    newsOf: probes.newsOf,
    opened,
    objected: (candidate, payer) => {
      // Tells the owner of an own key that it works.
      if (candidate.billing === 'own_key') return succeeded(candidate)
      const kept = keptOf(candidate)
      noteObjectionTo(kept.health, payer, rules)
      noteCircuit(kept, null)
    },
    succeeded,
    failed: (candidate, { payer, reason, concernsRequestOnly = false }) => {
      const kept = keptOf(candidate)
      noteFailureOf(kept.health, { payer: payerOf(candidate, payer), concernsRequestOnly }, rules, nowMs())
      noteCircuit(kept, reason)
      if (candidate.billing === 'own_key') notes.ownKeys?.failed(candidate.account.id, reason)
    },
    throttled: (candidate, askedMs) => {
      if (candidate.billing === 'own_key') notes.ownKeys?.failed(candidate.account.id, 'upstream_rate_limited')
      return noteThrottle(keptOf(candidate).health.all, askedMs, nowMs())
    },
    circuits: () => {
      const seen: SeenCircuit[] = []
      for (const [key, { health, candidate }] of platform) {
        const { name: account, vendor } = candidate.account
        const judged = sharedCircuitOf(health, rules, nowMs())
        // A running probe keeps other requests out.
        seen.push({ account, vendor, state: judged === 'open' && probes.isRunning(key) ? 'half-open' : judged })
      }
      return seen
    },
  }
}

/** Requests that test whether an upstream has recovered. */
function createProbes(): Pick<HealthStore, 'probe' | 'newsOf'> & { isRunning(key: string): boolean } {
  const probes = new Map<string, Promise<void>>()
  return {
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
    isRunning: (key) => probes.has(key),
  }
}

const unheardOf: HealthVerdict = { usable: true, isProbe: false }

/** An own key has one owner, however many wallets use it. */
function payerOf({ billing, account }: Candidate, payer: string): string {
  return billing === 'own_key' ? account.id : payer
}

/** Compares a circuit with its last reported state. */
function createNoteCircuit(
  rules: HealthRules,
  nowMs: () => number,
  reporter: HealthNotes['circuits'],
): (kept: Kept, reason: string | null) => void {
  return (kept, reason) => {
    const isOpen = isTripped(kept.health, rules)
    const before = kept.opened
    // Without a reason nothing failed here: the circuit may be open for another payer.
    if (isOpen ? reason === null : before === null) return
    const opened = { reason: reason ?? before?.reason ?? '', atMs: before?.atMs ?? nowMs() }
    kept.opened = isOpen ? opened : null
    // The owner of an own key sees the key's health in the key list.
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
