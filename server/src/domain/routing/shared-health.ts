import { setBounded } from '#lib/set-bounded.ts'
import {
  type CircuitState,
  circuitOf,
  type HealthRules,
  type HealthVerdict,
  healthy,
  noteFailure,
  noteOpened,
  noteSuccess,
  type ProviderHealth,
} from './provider-health.ts'

/**
 * The health of one upstream with one model, for all payers. A payer may have caused the failures of its own requests,
 * so they open the circuit for this payer only. The shared circuit opens when several payers see failures.
 */
export interface SharedHealth {
  readonly all: ProviderHealth
  /** The payers whose requests failed since the last success. */
  readonly byPayer: Map<string, PayerHealth>
}

interface PayerHealth {
  readonly own: ProviderHealth
  /** The payer's failures that no client's text can have caused. */
  evidence: number
}

interface PayerFailure {
  readonly payer: string
  /** The failure was detected in a text that may quote a client, or it concerns this request only. */
  readonly concernsRequestOnly: boolean
}

const payersMax = 1_000

export function wellShared(): SharedHealth {
  return { all: healthy(), byPayer: new Map() }
}

/** Whether a payer's request may try the upstream now, by one of the two rules. */
export function judgeFor(
  { all, byPayer }: SharedHealth,
  payer: string,
  judge: (health: ProviderHealth) => HealthVerdict,
  nowMs: number,
): HealthVerdict {
  const own = byPayer.get(payer)?.own
  if (own === undefined || nowMs < all.throttledUntilMs) return judge(all)
  // The payer's own circuit is checked first: a probe of the shared circuit makes other payers wait, and must not be
  // wasted.
  const verdict = judge(own)
  if (!verdict.usable) return verdict
  const shared = judge(all)
  return shared.usable ? { usable: true, isProbe: verdict.isProbe || shared.isProbe } : shared
}

export function noteFailureOf(
  health: SharedHealth,
  { payer, concernsRequestOnly }: PayerFailure,
  rules: HealthRules,
  nowMs: number,
): void {
  const { all, byPayer } = health
  const known = byPayer.get(payer) ?? { own: healthy(), evidence: 0 }
  setBounded(byPayer, payer, known, payersMax)
  noteFailure(known.own, rules, nowMs)
  if (concernsRequestOnly) return
  known.evidence += 1
  if (all.failuresInRow < rules.failures && !isWitnessed(health, rules)) return
  all.failuresInRow = Math.max(all.failuresInRow, rules.failures - 1)
  noteFailure(all, rules, nowMs)
}

/**
 * One payer counts for at most half of the failures that open a circuit, so that no single payer opens it for others.
 */
function isWitnessed({ byPayer }: SharedHealth, rules: HealthRules): boolean {
  const shareMax = Math.ceil(rules.failures / 2)
  const shares = [...byPayer.values()].filter(({ evidence }) => evidence > 0).map(({ evidence }) => evidence)
  return shares.length > 1 && shares.reduce((sum, share) => sum + Math.min(share, shareMax), 0) >= rules.failures
}

/** The upstream accepts this payer's requests, which clears no failures yet. */
export function noteOpenedFor({ all, byPayer }: SharedHealth, payer: string, rules: HealthRules): void {
  noteOpened(all, rules)
  const own = byPayer.get(payer)?.own
  if (own !== undefined) noteOpened(own, rules)
}

/**
 * The upstream rejected a payer's request. That clears the failures of this payer only, because a client can send
 * invalid requests on purpose.
 */
export function noteObjectionTo({ all, byPayer }: SharedHealth, payer: string, rules: HealthRules): void {
  noteOpened(all, rules)
  byPayer.delete(payer)
}

export function noteSuccessOf({ all, byPayer }: SharedHealth): void {
  noteSuccess(all)
  byPayer.clear()
}

/** Whether the circuit is open for any payer. */
export function isTripped({ all, byPayer }: SharedHealth, rules: HealthRules): boolean {
  const isOpen = ({ failuresInRow }: ProviderHealth): boolean => failuresInRow >= rules.failures
  return isOpen(all) || [...byPayer.values()].some(({ own }) => isOpen(own))
}

/** The worst state of all payers. */
export function sharedCircuitOf({ all, byPayer }: SharedHealth, rules: HealthRules, nowMs: number): CircuitState {
  const circuits = [all, ...[...byPayer.values()].map(({ own }) => own)]
  const states = new Set(circuits.map((circuit) => circuitOf(circuit, rules, nowMs)))
  return (['open', 'half-open'] as const).find((state) => states.has(state)) ?? 'closed'
}
