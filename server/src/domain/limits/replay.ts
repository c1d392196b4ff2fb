import { judgeModel } from '#domain/access/judge-model.ts'
import { type WindowLength, windowStart } from '#domain/limits/window.ts'
import { type NanoUsd, nanoUsd, zeroUsd } from '#domain/money/nano-usd.ts'
import type { Uuid } from '#lib/uuid.ts'

/** A past request with what it held and cost. */
export interface PastRequest {
  readonly id: Uuid
  readonly startedAtMs: number
  readonly settledAtMs: number
  readonly held: NanoUsd
  readonly cost: NanoUsd
  readonly model: string
  readonly memberId: Uuid | null
}

/** Proposed controls of one organization, team or member. Null for none. */
export interface ProposedControls {
  readonly weeklyBudget: NanoUsd | null
  readonly monthlyBudget: NanoUsd | null
  readonly breaker: { readonly minute: NanoUsd | null; readonly hour: NanoUsd | null }
  /** Patterns. An empty list allows every model. */
  readonly allowedModels: readonly string[] | null
}

/** What would have refused a request. */
export type ControlName = 'allowed_models' | 'weekly_budget' | 'monthly_budget' | 'minute_breaker' | 'hour_breaker'

interface Limit {
  readonly name: ControlName
  readonly length: WindowLength
  readonly amount: NanoUsd
  readonly isBreaker: boolean
  /** By the start of the window. */
  readonly sums: Map<number, { held: bigint; spent: bigint }>
}

interface Running {
  readonly request: PastRequest
  /** The window of each limit. */
  readonly starts: readonly number[]
}

export interface Replay {
  /** Judges the next request, in the order of their starts. Null if it would have been served. */
  judge(request: PastRequest): ControlName | null
}

/**
 * Replays past requests against proposed controls, with the rules of `place_holds`: a budget counts everything that a
 * running request holds, and a breaker its estimate, for which the cost is taken, because estimates are not stored. A
 * refused request holds and spends nothing. `spentBefore` is the spend of windows that began before the first request.
 */
export function createReplay(
  controls: ProposedControls,
  spentBefore: (length: WindowLength, startsAtMs: number) => NanoUsd = () => zeroUsd,
): Replay {
  const limits = limitsOf(controls)
  // By the time at which they settle.
  const running: Running[] = []
  const layers = (controls.allowedModels ?? []).length === 0 ? [] : [controls.allowedModels ?? []]

  function sumOf({ sums, length }: Limit, startsAtMs: number): { held: bigint; spent: bigint } {
    const sum = sums.get(startsAtMs) ?? { held: 0n, spent: spentBefore(length, startsAtMs) }
    sums.set(startsAtMs, sum)
    return sum
  }

  function settleUntil(momentMs: number): void {
    while ((running[0]?.request.settledAtMs ?? Infinity) <= momentMs) {
      const { request, starts } = running.shift() as Running
      for (const [index, limit] of limits.entries()) {
        const sum = sumOf(limit, starts[index] as number)
        sum.held -= heldIn(limit, request)
        sum.spent += request.cost
      }
    }
  }

  return {
    judge(request) {
      settleUntil(request.startedAtMs)
      if (!judgeModel(layers, request.model).allowed) return 'allowed_models'
      const starts = limits.map(({ length }) => windowStart(length, request.startedAtMs))
      let least: { name: ControlName; room: bigint } | null = null
      for (const [index, limit] of limits.entries()) {
        const { held, spent } = sumOf(limit, starts[index] as number)
        const room = limit.amount - spent - held
        const fits = limit.isBreaker ? room > 0n : room >= request.held
        if (!fits && (least === null || room < least.room)) least = { name: limit.name, room }
      }
      if (least !== null) return least.name
      for (const [index, limit] of limits.entries()) {
        sumOf(limit, starts[index] as number).held += heldIn(limit, request)
      }
      const after = running.findLastIndex((other) => other.request.settledAtMs <= request.settledAtMs)
      running.splice(after + 1, 0, { request, starts })
      return null
    },
  }
}

function heldIn({ isBreaker }: Limit, { held, cost }: PastRequest): bigint {
  return isBreaker ? cost : held
}

function limitsOf({ weeklyBudget, monthlyBudget, breaker }: ProposedControls): Limit[] {
  // In the order of their kinds: of limits with equal room, `place_holds` names the first.
  const all = [
    { name: 'hour_breaker', length: 'hour', amount: breaker.hour, isBreaker: true },
    { name: 'minute_breaker', length: 'minute', amount: breaker.minute, isBreaker: true },
    { name: 'monthly_budget', length: 'month', amount: monthlyBudget, isBreaker: false },
    { name: 'weekly_budget', length: 'week', amount: weeklyBudget, isBreaker: false },
  ] as const
  return all.flatMap(({ amount, ...limit }) => (amount === null ? [] : [{ ...limit, amount, sums: new Map() }]))
}

/** The requests that the controls would have refused. */
export interface BacktestResult {
  readonly requests: number
  readonly refused: number
  /** What the refused requests cost. */
  readonly refusedSpend: NanoUsd
  readonly firstRefusedAtMs: number | null
  /** The clock minute with the most refused requests, the earlier one of two equal ones. */
  readonly worstMinute: { readonly atMs: number; readonly refused: number } | null
  readonly byControl: ReadonlyMap<ControlName, number>
  /** By member, most refused first; null for keys of no member. */
  readonly people: readonly { readonly memberId: Uuid | null; readonly refused: number; readonly spend: NanoUsd }[]
  /** The newest refused requests, newest first. */
  readonly examples: readonly (PastRequest & { readonly refusedBy: ControlName })[]
}

const examplesMax = 20

/** Collects what a replay refuses. */
export function createTally(): {
  add(request: PastRequest, refusedBy: ControlName | null): void
  result(): BacktestResult
} {
  const [minutes, byControl] = [new Map<number, number>(), new Map<ControlName, number>()]
  const people = new Map<Uuid | null, { refused: number; spend: bigint }>()
  const examples: (PastRequest & { refusedBy: ControlName })[] = []
  let [requests, refused, spend] = [0, 0, 0n]
  let firstRefusedAtMs: number | null = null
  return {
    add(request, refusedBy) {
      requests += 1
      if (refusedBy === null) return
      refused += 1
      spend += request.cost
      firstRefusedAtMs ??= request.startedAtMs
      byControl.set(refusedBy, (byControl.get(refusedBy) ?? 0) + 1)
      const minute = windowStart('minute', request.startedAtMs)
      minutes.set(minute, (minutes.get(minute) ?? 0) + 1)
      const person = people.get(request.memberId) ?? { refused: 0, spend: 0n }
      people.set(request.memberId, { refused: person.refused + 1, spend: person.spend + request.cost })
      examples.push({ ...request, refusedBy })
      if (examples.length > examplesMax) examples.shift()
    },
    result: () => ({
      requests,
      refused,
      refusedSpend: nanoUsd(spend),
      firstRefusedAtMs,
      worstMinute: worstOf(minutes),
      byControl,
      people: [...people]
        .map(([memberId, { refused: count, spend: sum }]) => ({ memberId, refused: count, spend: nanoUsd(sum) }))
        .toSorted((left, right) => right.refused - left.refused),
      examples: examples.toReversed(),
    }),
  }
}

function worstOf(minutes: ReadonlyMap<number, number>): BacktestResult['worstMinute'] {
  let worst: { atMs: number; refused: number } | null = null
  for (const [atMs, refused] of minutes) {
    if (worst === null || refused > worst.refused) worst = { atMs, refused }
  }
  return worst
}
