import { promptSizeFor } from '#dialects/choose-trim.ts'
import type { Principal } from '#domain/access/principal.ts'
import { type LimitedWindow, limitedWindows, scopeOf } from '#domain/limits/scopes.ts'
import { windowEnd } from '#domain/limits/window.ts'
import { affordableTokens } from '#domain/money/charge.ts'
import { formatUsd, type NanoUsd, nanoUsd, zeroUsd } from '#domain/money/nano-usd.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { BreakerTrip } from '#ports/breaker-trips.ts'
import type { Money } from '#ports/money.ts'
import type { Arrival, Plan, Ticket } from '../types.ts'
import type { LeaseKeeper } from './lease-keeper.ts'
import { ownKeysOnly } from './own-keys-only.ts'
import type { TripReporter } from './trip-reporter.ts'

export type HoldStage = (input: {
  arrival: Arrival
  principal: Principal
  plan: Plan
  replyHeaders: Readonly<Record<string, string>>
}) => Promise<Ticket>

/** Reserves the plan's amount over the wallet and every limit, or refuses with what is short. */
export function createHold(deps: { money: Money; leases: LeaseKeeper; trips: TripReporter }): HoldStage {
  return async ({ arrival, principal, plan: wanted, replyHeaders }) => {
    let plan = wanted
    let windows = plan.isBilled ? limitedWindows(principal, arrival.receivedAtMs) : []
    if (plan.isBilled) {
      const verdict = await deps.money.hold({
        id: arrival.generationId,
        walletId: principal.walletId,
        keyId: principal.keyId,
        amount: plan.amount < amountMax ? plan.amount : amountMax,
        windows,
      })
      if (verdict.allowed) deps.leases.keep(arrival.generationId)
      else {
        const trip = tripOf(verdict.scope, windows, { arrival, principal })
        if (trip !== null) deps.trips.report(trip)
        const unpaid = ownKeysOnly(plan)
        if (unpaid === null) throw refusal(verdict, plan, principal, arrival.receivedAtMs)
        plan = unpaid
        windows = []
      }
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
      skipped: [],
      firstTokenAtMs: null,
      settlement: null,
    }
  }
}

// A billion dollars: nobody has them, and sums with them still fit what Postgres calculates with. A `max_tokens` of 16 digits
// must be refused like any other that is too dear.
const amountMax = nanoUsd(1_000_000_000_000_000_000n)

function refusal(
  { scope: kind, room }: { scope: string; room: NanoUsd },
  plan: Plan,
  { organization }: Principal,
  nowMs: number,
): GatewayError {
  const need = `This request reserves $${formatUsd(plan.amount)}`
  const scope = scopeOf(kind)
  if (scope === undefined) {
    const short = `${need}, and $${formatUsd(room)} is available${affords(room, plan)}.`
    const remedy = plan.call.media === undefined ? ', or lower max_tokens' : ''
    return organization?.billing === 'monthly'
      ? new GatewayError('creditLimitExceeded', {
          message: `The organization's credit line is used up. ${short} Have its invoice settled or its line raised${remedy}.`,
        })
      : new GatewayError('insufficientCredits', {
          message: `Insufficient credits. ${short} Top up${remedy}.`,
        })
  }
  const message = `The ${scope.title} is reached. ${need}, and $${formatUsd(room)} is left${affords(room, plan)}.`
  const end = windowEnd(scope.length, nowMs)
  if (scope.refusal !== 'spendBreakerTripped' || end === null) return new GatewayError(scope.refusal, { message })
  return new GatewayError(scope.refusal, { message, retryAfterS: Math.ceil((end - nowMs) / 1_000) })
}

/** Only for breakers of an organization, a team or a member: a person's own concerns nobody else's log. */
function tripOf(
  kind: string,
  windows: readonly LimitedWindow[],
  { arrival, principal }: { arrival: Arrival; principal: Principal },
): BreakerTrip | null {
  const window = windows.find((each) => each.kind === kind)
  const { organizationId } = principal
  if (scopeOf(kind)?.refusal !== 'spendBreakerTripped' || window === undefined || organizationId === null) return null
  if (window.ownerId === principal.userId) return null
  const requestId = arrival.replyHeaders['x-request-id'] ?? null
  return { kind, ownerId: window.ownerId, organizationId, limit: window.limit, requestId }
}

// The dearest candidate is the one the hold was sized for.
function affords(room: NanoUsd, plan: Plan): string {
  if (plan.call.media !== undefined) return ''
  const counts = plan.candidates.map((candidate) =>
    affordableTokens(room, promptSizeFor(plan.call, candidate.model.id).promptTokensHeld, candidate.price),
  )
  return `, which affords ${Math.floor(Math.min(...counts) / plan.call.choiceCount)} output tokens`
}
