import type { Principal } from '#domain/access/principal.ts'
import type { EndCustomerTerms } from '#domain/end-customers/end-customer.ts'
import { type EffectiveLimit, effectiveLimit, type StandingLimit } from '#domain/limits/effective-limit.ts'
import { limitedWindows } from '#domain/limits/scopes.ts'
import { type NanoUsd, zeroUsd } from '#domain/money/nano-usd.ts'
import type { Candidate } from '#domain/routing/candidates.ts'
import type { Excluded } from '#domain/routing/explanation.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { EndCustomers } from '#ports/end-customers.ts'
import type { KeyLimitReads } from '#ports/keys.ts'
import type { RequestHistory, TypicalUse } from '#ports/request-history.ts'
import { createAttribute, isAttributed, readAttribution } from './attribute/attribute.ts'
import type { EndCustomerCache } from './attribute/end-customer-cache.ts'
import { keepAllowed } from './guard/keep-allowed.ts'
import type { Stages } from './run.ts'
import type { Arrival, Plan } from './types.ts'
import { type QuotedCosts, quotedCosts } from './quoted-costs.ts'

/** What a request would cost, and whether it would be accepted. */
export interface Quote {
  /** In the order in which they would be tried. */
  readonly candidates: readonly QuotedCandidate[]
  readonly excluded: readonly Excluded[]
  readonly autoTier: string | null
  /** The amount that would be held when the request begins. */
  readonly hold: NanoUsd
  readonly limits: readonly QuotedLimit[]
  /** The requests that the likely cost of the first candidate is based on. */
  readonly typical: TypicalUse | null
}

interface QuotedCandidate extends QuotedCosts {
  readonly candidate: Candidate
}

interface QuotedLimit extends StandingLimit {
  /** Whether the limit would reject the request now. */
  readonly binds: boolean
}

export interface QuoteDeps {
  /** As for a request, but nothing counts against a free quota. */
  readonly stages: Pick<Stages, 'parse' | 'route' | 'freeTier'>
  readonly customers: Pick<EndCustomers, 'findTerms'>
  readonly limits: Pick<KeyLimitReads, 'readTaken'>
  readonly history: RequestHistory
}

/** A quote creates no customer, and one that is created by a request has no limits. */
const unknownCustomer: EndCustomerTerms = {
  id: '',
  suspended: false,
  limits: { day: null, month: null, total: null },
}

const historyMs = 30 * 86_400_000

/**
 * Takes a request through the same stages as one that is sent, up to its hold. Nothing is held, counted or sent.
 * Content filters and moderation are left out, because they record what they find.
 */
export function createQuote(deps: QuoteDeps) {
  const find: EndCustomerCache['find'] = async (walletId, externalId) =>
    (await deps.customers.findTerms(walletId, externalId)) ?? unknownCustomer
  const attribute = createAttribute({ endCustomers: { find }, tags: { find: () => [] } })
  return async (sent: Arrival, sender: Principal): Promise<Quote> => {
    const { arrival, named } = isAttributed(sent) ? readAttribution(sent, sender) : { arrival: sent, named: null }
    const plan = await planOf(deps.stages, arrival, sender)
    const principal = named === null ? sender : await attribute({ arrival, principal: sender, named })
    const [limits, typical] = await Promise.all([
      readLimits(deps.limits, principal, arrival.receivedAtMs),
      readTypical(deps.history, { plan, arrival, walletId: principal.walletId }),
    ])
    return {
      candidates: plan.candidates.map((candidate) => ({
        candidate,
        ...quotedCosts(plan.call, candidate, typical.get(candidate.model.id) ?? null),
      })),
      excluded: plan.explanation.excluded,
      autoTier: plan.explanation.autoTier,
      hold: plan.isBilled ? plan.amount : zeroUsd,
      limits: limits.limits.map((limit) => ({ ...limit, binds: plan.isBilled && binds(limit, plan) })),
      typical: typical.get(plan.candidates[0]?.model.id ?? '') ?? null,
    }
  }
}

async function planOf(stages: QuoteDeps['stages'], arrival: Arrival, principal: Principal): Promise<Plan> {
  const { call, wanted, preferences } = stages.parse(arrival)
  const { walletId, organizationId, keyId } = principal
  const { wantsEvents, receivedAtMs } = arrival
  const allowed = keepAllowed(principal, wanted)
  const request = { call, wanted: allowed, preferences, wantsEvents, receivedAtMs, walletId, organizationId, keyId }
  const { plan } = await stages.freeTier({ arrival, principal, plan: stages.route(request, arrival) })
  return plan
}

async function readLimits(limits: QuoteDeps['limits'], principal: Principal, nowMs: number): Promise<EffectiveLimit> {
  const windows = limitedWindows(principal, nowMs)
  const { wallet, taken } = await limits.readTaken(principal.walletId, windows)
  const counted = windows.map((window, index) => ({ ...window, taken: taken[index] ?? zeroUsd }))
  return effectiveLimit(principal, { wallet, windows: counted }, nowMs)
}

/** By model, because fallbacks may be other models. */
async function readTypical(
  history: RequestHistory,
  { plan, arrival, walletId }: { plan: Plan; arrival: Arrival; walletId: Uuid },
): Promise<ReadonlyMap<string, TypicalUse>> {
  const { receivedAtMs, dialect } = arrival
  const models = new Set(plan.candidates.map(({ model }) => model.id))
  const found = new Map<string, TypicalUse>()
  for (const model of plan.call.media === undefined ? models : []) {
    const which = { walletId, model, endpoint: dialect.name, fromMs: receivedAtMs - historyMs }
    const typical = await history.readTypical(which)
    if (typical !== null) found.set(model, typical)
  }
  return found
}

/** As a hold is judged: breakers count estimates, and reject once they are reached. */
function binds({ isBreaker, kind, left, limit, taken }: StandingLimit, { amount, estimate }: Plan): boolean {
  if (isBreaker) return taken + estimate >= limit
  return left < amount || (kind === 'wallet' && limit <= 0n)
}
