import type { Principal } from '#domain/access/principal.ts'
import { limitedWindows, scopeOf } from '#domain/limits/scopes.ts'
import { windowEnd } from '#domain/limits/window.ts'
import { affordableTokens } from '#domain/money/charge.ts'
import { formatUsd, type NanoUsd, nanoUsd, zeroUsd } from '#domain/money/nano-usd.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { Money } from '#ports/money.ts'
import type { Arrival, Plan, Ticket } from '../types.ts'
import type { LeaseKeeper } from './lease-keeper.ts'

export type HoldStage = (input: {
  arrival: Arrival
  principal: Principal
  plan: Plan
  replyHeaders: Readonly<Record<string, string>>
}) => Promise<Ticket>

/** Reserves the plan's amount over the wallet and every limit, or refuses with what is short. */
export function createHold(deps: { money: Money; leases: LeaseKeeper }): HoldStage {
  return async ({ arrival, principal, plan, replyHeaders }) => {
    const windows = plan.isBilled ? limitedWindows(principal, arrival.receivedAtMs) : []
    if (plan.isBilled) {
      const verdict = await deps.money.hold({
        id: arrival.generationId,
        walletId: principal.walletId,
        keyId: principal.keyId,
        amount: plan.amount < amountMax ? plan.amount : amountMax,
        windows,
      })
      if (!verdict.allowed) throw refusal(verdict.scope, verdict.room, plan, arrival.receivedAtMs)
      deps.leases.keep(arrival.generationId)
    }
    return {
      arrival,
      principal,
      plan,
      windows,
      replyHeaders,
      heldAmount: plan.isBilled ? plan.amount : zeroUsd,
      heldTokens: plan.heldTokens,
      attempts: [],
      firstTokenAtMs: null,
      settlement: null,
    }
  }
}

// A billion dollars: nobody has them, and sums with them still fit what Postgres calculates with. A `max_tokens` of 16 digits
// must be refused like any other that is too dear.
const amountMax = nanoUsd(1_000_000_000_000_000_000n)

function refusal(kind: string, room: NanoUsd, plan: Plan, nowMs: number): GatewayError {
  const need = `This request reserves $${formatUsd(plan.amount)}`
  const scope = scopeOf(kind)
  if (scope === undefined) {
    return new GatewayError('insufficientCredits', {
      message: `Insufficient credits. ${need}, and $${formatUsd(room)} is available, which affords ${affordable(room, plan)} output tokens. Top up, or lower max_tokens.`,
    })
  }
  const message = `The ${scope.title} is reached. ${need}, and $${formatUsd(room)} is left, which affords ${affordable(room, plan)} output tokens.`
  const end = windowEnd(scope.length, nowMs)
  if (scope.refusal !== 'spendBreakerTripped' || end === null) return new GatewayError(scope.refusal, { message })
  return new GatewayError(scope.refusal, { message, retryAfterS: Math.ceil((end - nowMs) / 1_000) })
}

// The dearest candidate is the one the hold was sized for.
function affordable(room: NanoUsd, plan: Plan): number {
  const counts = plan.candidates.map((candidate) =>
    affordableTokens(room, plan.call.promptTokensEstimate, candidate.price),
  )
  return Math.floor(Math.min(...counts) / plan.call.choiceCount)
}
