import type { HedgeBudget } from '#domain/routing/hedge-budget.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { Candidate } from '#domain/routing/candidates.ts'
import { worthFor } from '../hold-for.ts'
import type { Ticket } from '../types.ts'

/**
 * `won`: the second provider answered first. `lost`: the first one did. `failed`: both failed. `cancelled`: the request
 * ended before, because the client disconnected or the hold was used up. `over_budget`: the wallet has no hedge left.
 */
export type HedgeOutcome = 'won' | 'lost' | 'failed' | 'cancelled' | 'over_budget'

/** The dependencies of requests that ask for a second provider. */
export interface Hedging {
  readonly budget: Pick<HedgeBudget, 'earn' | 'has' | 'spend'>
  /** The 95th percentile of the latency. Null with too few measurements. */
  slowMs(candidate: Candidate, streamed: boolean): number | null
  /** Records an attempt that was cancelled because another one answered first. Returns its cost to the operator. */
  noteLost(ticket: Ticket, candidate: Candidate, seen: SeenOfLost): NanoUsd
  count(outcome: HedgeOutcome): void
  /** Ends early with the signal. */
  pause(ms: number, signal: AbortSignal): Promise<void>
}

interface SeenOfLost {
  readonly latencyMs: number
  readonly outputTokens: number
  /** Whether this attempt was so slow that the other one was started. */
  readonly wasLate: boolean
}

/** The callbacks of dispatch that hedges need. */
export interface HedgePorts {
  readonly budget: HedgeBudget
  readonly measurements: {
    note(sample: {
      readonly vendor: string
      readonly model: string
      readonly latencyMs: number | null
      readonly tokensPerSecond: null
      readonly wholeMs?: number
    }): void
    slowMs(host: { readonly vendor: string; readonly model: string }, streamed: boolean): number | null
  }
  readonly metrics: {
    readonly hedges: { inc(labels: { outcome: HedgeOutcome }): void }
    readonly hedgeUsd: { inc(usd: number): void }
  }
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>
}

export function createHedging({ budget, measurements, metrics, pause }: HedgePorts): Hedging {
  return {
    budget,
    pause,
    count: (outcome) => metrics.hedges.inc({ outcome }),
    slowMs: ({ account, model }, streamed) =>
      measurements.slowMs({ vendor: account.vendor, model: model.id }, streamed),
    noteLost: ({ plan, principal }, candidate, { latencyMs, outputTokens, wasLate }) => {
      const host = { vendor: candidate.account.vendor, model: candidate.model.id }
      // The answer would have started even later. Without this lower bound, hedging would hide slow answers from the
      // measurement that it depends on. A second attempt hardly had time, so it is not measured: it would make its
      // provider look fast to all wallets.
      if (wasLate && plan.call.stream) measurements.note({ ...host, latencyMs, tokensPerSecond: null })
      else if (wasLate) measurements.note({ ...host, latencyMs: null, tokensPerSecond: null, wholeMs: latencyMs })
      const worth = worthFor([candidate], plan.call, outputTokens)
      budget.lost(principal.walletId, worth)
      metrics.hedgeUsd.inc(Number(worth) / 1e9)
      return worth
    },
  }
}
