import type { Principal } from '#domain/access/principal.ts'
import { type LimitedWindow, limitedWindows, scopeOf } from '#domain/limits/scopes.ts'
import { windowEnd } from '#domain/limits/window.ts'
import { formatUsd, type NanoUsd, nanoUsd, zeroUsd } from '#domain/money/nano-usd.ts'
import { creditsPageFor } from '#domain/payments/credits-page.ts'
import type { Excluded } from '#domain/routing/explanation.ts'
import type { ErrorName } from '#errors/catalogue.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { Eventually } from '#lib/eventually.ts'
import type { HoldGrowth, HoldVerdict, Money } from '#ports/money.ts'
import type { BreakerTrip } from '#ports/organization-rules.ts'
import { leastTokensFor } from '../hold-for.ts'
import type { Arrival, Plan, Ticket } from '../types.ts'
import type { LeaseKeeper } from './lease-keeper.ts'
import type { TripReporter } from './trip-reporter.ts'

export type HoldStage = (input: {
  arrival: Arrival
  principal: Principal
  plan: Plan
  replyHeaders: Readonly<Record<string, string>>
}) => Eventually<Ticket>

/** Reserves the plan's amount in the wallet and every limit, or rejects the request with the limit that lacks room. */
export function createHold(deps: {
  money: Money
  leases: LeaseKeeper
  trips: TripReporter
  /** Where people buy credit, or null if they cannot. */
  creditsUrl: string | null
}): HoldStage {
  const creditsPageOf = ({ organizationId }: Principal): string | null =>
    deps.creditsUrl === null ? null : creditsPageFor(deps.creditsUrl, organizationId)
  return ({ arrival, principal, plan: wanted, replyHeaders }) => {
    const ticketOf = (plan: Plan, windows: readonly LimitedWindow[], held: Held): Ticket => ({
      arrival,
      principal,
      plan,
      windows,
      replyHeaders,
      ...held,
      attempts: [],
      skipped: [],
      firstTokenAtMs: null,
      settlement: null,
    })
    const unpaidOr = (refuse: () => GatewayError): Ticket => {
      const unpaid = ownKeysOnly(wanted)
      if (unpaid === null) throw toldTo(principal, refuse())
      return ticketOf(unpaid, [], unheld(unpaid))
    }
    if (!wanted.isBilled) return ticketOf(wanted, [], unheld(wanted))
    const { maxCost } = wanted
    if (maxCost !== undefined && wanted.amount > maxCost) return unpaidOr(() => beyondMaxCost(wanted, maxCost))
    const overdue = principal.organization?.overdueInvoice ?? null
    if (overdue !== null && wanted.amount > 0n) return unpaidOr(() => overdueRefusal(overdue, creditsPageOf(principal)))
    const windows = limitedWindows(principal, arrival.receivedAtMs)
    const judged = (verdict: HoldVerdict): Ticket => {
      if (verdict.allowed) {
        deps.leases.keep(arrival.generationId)
        return ticketOf(wanted, windows, heldOf(wanted, verdict))
      }
      const trip = tripOf(verdict.scope, windows, { arrival, principal })
      if (trip !== null) deps.trips.report(trip)
      return unpaidOr(() =>
        refusal(verdict, wanted, principal, { nowMs: arrival.receivedAtMs, creditsUrl: creditsPageOf(principal) }),
      )
    }
    const { generationId: id } = arrival
    const { walletId, keyId } = principal
    const [amount, estimate] = [countable(wanted.amount), countable(wanted.estimate)]
    const growth = wanted.growth === undefined ? {} : { growth: growthWithin(wanted.growth, wanted.maxCost) }
    return deps.money.hold({ id, walletId, keyId, amount, estimate, ...growth, windows }).then(judged)
  }
}

type Held = Pick<Ticket, 'heldAmount' | 'heldTokens' | 'payable'>

function unheld({ heldTokens }: Plan): Held {
  return { heldAmount: zeroUsd, heldTokens, payable: zeroUsd }
}

/** The held amount and tokens, which may exceed the plan's, and the amount that could be paid if the hold grows. */
function heldOf(plan: Plan, { granted, room }: HoldVerdict & { allowed: true }): Held {
  const { growth, maxCost = amountMax } = plan
  if (growth === undefined) return { heldAmount: granted, heldTokens: plan.heldTokens, payable: granted }
  const covered = granted > plan.amount ? leastTokensFor(granted, plan.call, plan.candidates) : plan.heldTokens
  const heldTokens = Math.max(plan.heldTokens, covered)
  return {
    heldAmount: granted,
    heldTokens,
    payable: growth.comfort === null ? atMost(maxCost, nanoUsd(granted + room)) : granted,
  }
}

// A billion dollars: no wallet has this balance, and sums with it still fit Postgres' integers. A `max_tokens` of 16
// digits must be rejected like any other that is too expensive.
const amountMax = nanoUsd(1_000_000_000_000_000_000n)

function countable(amount: NanoUsd): NanoUsd {
  return atMost(amountMax, amount)
}

function atMost(most: NanoUsd, amount: NanoUsd): NanoUsd {
  return amount < most ? amount : most
}

function growthWithin({ wish, comfort }: HoldGrowth, maxCost = amountMax): HoldGrowth {
  return { wish: atMost(maxCost, wish), comfort: comfort === null ? null : atMost(maxCost, comfort) }
}

/**
 * A token is in the hands of a customer, who learns nothing about the money of the wallet's owner, and only about the
 * limits of the customer, of the token and of the request.
 */
function toldTo({ customerToken }: Principal, error: GatewayError): GatewayError {
  if (customerToken === null || ofCustomers.has(error.errorName)) return error
  const message = "This token's owner has too little credit, or has reached a spend limit."
  return error.retold({ message, inside: error.message, reason: error.row.type })
}

const ofCustomers: ReadonlySet<ErrorName> = new Set(['customerLimitReached', 'customerBalanceTooLow', 'maxCostTooLow'])

function overdueRefusal(number: string, creditsUrl: string | null): GatewayError {
  const where = creditsUrl === null ? 'Ask an organization admin to pay it.' : `Pay it at ${creditsUrl}.`
  const message = `The organization's invoice ${number} is overdue. Its credit line is closed until the invoice is paid. ${where}`
  return new GatewayError('creditLimitExceeded', { message, boundBy: 'invoice' })
}

function refusal(
  { scope: kind, room }: { scope: string; room: NanoUsd },
  plan: Plan,
  { organization }: Principal,
  { nowMs, creditsUrl }: { nowMs: number; creditsUrl: string | null },
): GatewayError {
  const need = needOf(plan)
  const scope = scopeOf(kind)
  if (scope === undefined) {
    const short = `${need}, but only $${formatUsd(room)} is available${affords(room, plan)}.`
    const isText = plan.call.media === undefined
    return organization?.billing === 'monthly'
      ? new GatewayError('creditLimitExceeded', {
          message: `The organization's credit line is insufficient. ${short} Pay the open invoice${isText ? ', lower max_tokens' : ''} or ask for a higher credit line.`,
          boundBy: 'wallet',
        })
      : new GatewayError('insufficientCredits', {
          message: `Insufficient credits. ${short} Top up${creditsUrl === null ? '' : ` at ${creditsUrl}`}${isText ? ', or lower max_tokens' : ''}.`,
          boundBy: 'wallet',
        })
  }
  const message = `The ${scope.title} has been ${scope.end ?? 'reached'}. ${need}, but only $${formatUsd(room)} is left${affords(room, plan)}.`
  const end = windowEnd(scope.length, nowMs)
  if (scope.refusal !== 'spendBreakerTripped' || end === null)
    return new GatewayError(scope.refusal, { message, boundBy: kind })
  return new GatewayError(scope.refusal, { message, boundBy: kind, retryAfterS: Math.ceil((end - nowMs) / 1_000) })
}

function beyondMaxCost(plan: Plan, maxCost: NanoUsd): GatewayError {
  return new GatewayError('maxCostTooLow', {
    message: `${needOf(plan)}, but it may cost at most $${formatUsd(maxCost)}.`,
  })
}

function needOf({ amount, reservesMost }: Plan): string {
  if (reservesMost !== true) return `This request needs to reserve $${formatUsd(amount)}`
  return `Your unpaid responses exceed today's limit, so until midnight UTC each request reserves its model's maximum cost: $${formatUsd(amount)}`
}

/**
 * Only for breakers of an organization, a team or a member: a person's own breaker does not concern an organization's
 * log.
 */
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

// The output tokens that the remaining amount pays for, with the most expensive candidate.
function affords(room: NanoUsd, { call, candidates }: Plan): string {
  if (call.media !== undefined || !candidates.some(({ billing }) => billing === 'charged')) return ''
  return `, enough for ${Math.floor(leastTokensFor(room, call, candidates) / call.choiceCount)} output tokens`
}

/**
 * The plan with only the candidates that cost nothing here: the organization's own keys. Null if there are none, so
 * that the request is rejected.
 */
function ownKeysOnly(plan: Plan): Plan | null {
  const candidates = plan.candidates.filter(({ billing }) => billing === 'own_key')
  if (candidates.length === 0) return null
  const left: Excluded[] = plan.candidates
    .filter(({ billing }) => billing !== 'own_key')
    .map(({ model, account }) => ({ model: model.id, provider: account.vendor, rule: 'no_credit' }))
  const explanation = {
    ...plan.explanation,
    candidates: candidates.map(({ model, account }) => ({ model: model.id, provider: account.vendor })),
    excluded: [...plan.explanation.excluded, ...left],
  }
  const { growth: _growth, ...rest } = plan
  return { ...rest, candidates, amount: zeroUsd, estimate: zeroUsd, isOpenEnded: false, isBilled: false, explanation }
}
