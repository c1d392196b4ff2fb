import { keyAccountOf } from '#domain/access/key-account.ts'
import type { Principal } from '#domain/access/principal.ts'
import type { EndCustomerTerms } from '#domain/end-customers/end-customer.ts'
import { effectiveLimit, type StandingLimit } from '#domain/limits/effective-limit.ts'
import { limitedWindows } from '#domain/limits/scopes.ts'
import { type NanoUsd, zeroUsd } from '#domain/money/nano-usd.ts'
import { noRules } from '#domain/runs/run-rules.ts'
import type { NamedRun, RunTerms } from '#domain/runs/run.ts'
import type { Candidate } from '#domain/routing/candidates.ts'
import type { Excluded } from '#domain/routing/explanation.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { EndCustomers } from '#ports/end-customers.ts'
import type { KeyLimitReads } from '#ports/keys.ts'
import type { Runs } from '#ports/runs.ts'
import type { RequestHistory, TypicalUse } from '#ports/request-history.ts'
import { type AttributeStage, createAttribute, isAttributed, readAttribution } from './attribute/attribute.ts'
import type { EndCustomerCache } from './attribute/end-customer-cache.ts'
import { judgeRun, type RunCache } from './attribute/run-cache.ts'
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

export interface QuotedLimit extends StandingLimit {
  /** Whether the limit would reject the request now. */
  readonly binds: boolean
  /** Whether other members of the organization spend from it too. A member's key must not read their amounts. */
  readonly isShared: boolean
}

export interface QuoteDeps {
  /** As for a request, but nothing counts against a free quota. */
  readonly stages: Pick<Stages, 'resume' | 'parse' | 'route' | 'freeTier'>
  readonly customers: Pick<EndCustomers, 'findTerms' | 'readSettings'>
  readonly runs: Pick<Runs, 'findTerms'>
  readonly limits: Pick<KeyLimitReads, 'readTaken'>
  readonly history: RequestHistory
}

/** A quote creates no customer. One that is created by a request has the default limits of its wallet. */
async function unknownCustomer(customers: QuoteDeps['customers'], sender: Principal): Promise<EndCustomerTerms> {
  const { limits } = await customers.readSettings(keyAccountOf(sender))
  return { id: unknownId, suspended: false, isPrepaid: false, limits }
}

/** A quote creates no run. It judges an unknown run by its own budget and the budgets of its parent. */
async function unknownRun(
  runs: QuoteDeps['runs'],
  walletId: Uuid,
  { id, budget, parent }: NamedRun,
): Promise<RunTerms> {
  const above = parent === null ? null : await runs.findTerms(walletId, parent)
  const own = budget === null ? [] : [{ runId: unknownId, limit: budget }]
  return {
    id: unknownId,
    externalId: id,
    path: [unknownId, ...(above?.path ?? [])],
    parent,
    budget,
    budgets: [...own, ...(above?.budgets ?? [])],
    stop: null,
    ownRules: noRules,
    rules: [],
  }
}

const unknownId = '00000000-0000-0000-0000-000000000000'

const historyMs = 30 * 86_400_000

/**
 * Takes a request through the same stages as one that is sent, up to its hold. Nothing is held, counted or sent.
 * Content filters and moderation are left out, because they record what they find.
 */
export function createQuote(deps: QuoteDeps) {
  const open: RunCache['open'] = async ({ walletId }, named) => {
    const known = await deps.runs.findTerms(walletId, named.id)
    return known === null ? unknownRun(deps.runs, walletId, named) : judgeRun(known, named)
  }
  const attribute: AttributeStage = (request) => {
    const find: EndCustomerCache['find'] = async (walletId, externalId) =>
      (await deps.customers.findTerms(walletId, externalId)) ?? unknownCustomer(deps.customers, request.principal)
    return createAttribute({
      endCustomers: { find },
      tags: { find: () => [] },
      runs: { open },
      judgeRunRules: async () => {},
      metrics: { attributed: { inc: () => {} } },
    })(request)
  }
  return async (asked: Arrival, sender: Principal): Promise<Quote> => {
    const sent = await resumed(deps.stages, asked, sender)
    const { arrival, named } = isAttributed(sent) ? readAttribution(sent, sender) : { arrival: sent, named: null }
    const plan = await planOf(deps.stages, arrival, sender)
    const principal = named === null ? sender : await attribute({ arrival, principal: sender, named })
    const { walletId } = principal
    const { receivedAtMs } = arrival
    const [taken, typical] = await Promise.all([
      deps.limits.readTaken(walletId, limitedWindows(principal, receivedAtMs)),
      readTypical(deps.history, { plan, arrival, walletId }),
    ])
    const { limits } = effectiveLimit(principal, taken, receivedAtMs)
    return {
      candidates: plan.candidates.map((candidate) => ({
        candidate,
        ...quotedCosts(plan.call, candidate, typical.get(candidate.model.id) ?? null),
      })),
      excluded: plan.explanation.excluded,
      autoTier: plan.explanation.autoTier,
      hold: plan.isBilled ? plan.amount : zeroUsd,
      limits: limits.map((limit) => ({
        ...limit,
        binds: plan.isBilled && binds(limit, plan),
        isShared: isShared(limit, principal),
      })),
      typical: typical.get(plan.candidates[0]?.model.id ?? '') ?? null,
    }
  }
}

/** The request with the earlier conversation that it continues, if any. */
async function resumed({ resume }: QuoteDeps['stages'], arrival: Arrival, principal: Principal): Promise<Arrival> {
  const storage = resume?.asked(arrival) ?? null
  return resume === null || storage === null ? arrival : resume.resume(arrival, principal, storage)
}

/** The plan of a request that is not sent. */
export async function planOf(stages: QuoteDeps['stages'], arrival: Arrival, principal: Principal): Promise<Plan> {
  const { call, wanted, preferences } = stages.parse(arrival)
  const { walletId, organizationId, keyId } = principal
  const { wantsEvents, receivedAtMs } = arrival
  const allowed = keepAllowed(principal, wanted)
  const request = { call, wanted: allowed, preferences, wantsEvents, receivedAtMs, walletId, organizationId, keyId }
  const { plan } = await stages.freeTier({ arrival, principal, plan: stages.route(request, arrival) })
  return plan
}

/** By model, because fallbacks may be other models. */
function readTypical(
  history: RequestHistory,
  { plan, arrival, walletId }: { plan: Plan; arrival: Arrival; walletId: Uuid },
): Promise<ReadonlyMap<string, TypicalUse>> {
  if (plan.call.media !== undefined) return Promise.resolve(new Map())
  const { receivedAtMs, dialect } = arrival
  const models = [...new Set(plan.candidates.map(({ model }) => model.id))]
  return history.readTypical({ walletId, models, endpoint: dialect.name, fromMs: receivedAtMs - historyMs })
}

function isShared({ ownerId }: StandingLimit, principal: Principal): boolean {
  const { organizationId, keyId, userId, memberId } = principal
  return organizationId !== null && ![keyId, userId, memberId].includes(ownerId)
}

/** As a hold is judged: breakers count estimates, and reject once they are reached. */
function binds({ isBreaker, kind, left, limit, taken }: StandingLimit, { amount, estimate }: Plan): boolean {
  if (isBreaker) return taken + estimate >= limit
  return left < amount || (kind === 'wallet' && limit <= 0n)
}
