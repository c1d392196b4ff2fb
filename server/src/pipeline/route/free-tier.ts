import { promptSizeFor } from '#dialects/choose-trim.ts'
import { clientNetwork } from '#domain/access/client-network.ts'
import type { Principal } from '#domain/access/principal.ts'
import { rateSubject } from '#domain/access/rate-subject.ts'
import {
  type FreeAsk,
  freeResetMs,
  freeRules,
  type FreeStanding,
  freeUnitsOf,
  type OverQuota,
} from '#domain/limits/free-quota.ts'
import type { Candidate } from '#domain/routing/candidates.ts'
import { freeLimitsOf, type FreeModels } from '#domain/routing/free-models.ts'
import { asksForFree } from '#domain/routing/free-variants.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { Eventually } from '#lib/eventually.ts'
import type { FreeQuotas, FreeSubject } from '#ports/shared-counts.ts'
import type { Arrival, Plan } from '../types.ts'
import { chooseFree } from './choose-free.ts'
import { planFor } from './plan-for.ts'

interface FreeTierRequest {
  readonly arrival: Arrival
  readonly principal: Principal
  readonly plan: Plan
}

export interface FreeTier {
  /**
   * Makes candidates free where the client's quota allows it. Returns the plan, and the reply headers about an
   * exhausted quota.
   */
  apply(request: FreeTierRequest): Eventually<Applied>
  /**
   * Counts a request against the quota of a free model that it falls back to, unless it is already counted. Undefined
   * if there is nothing to count. Rejects if the quota was used up meanwhile.
   */
  countFallback(request: FreeTierRequest, candidate: Candidate): Promise<void> | undefined
}

interface Applied {
  readonly plan: Plan
  readonly headers: Readonly<Record<string, string>>
}

interface FreeTierDeps {
  readonly freeModels: () => FreeModels
  readonly quotas: FreeQuotas
  /** Maximum units per day of all `auto:free` requests from one client address. */
  readonly autoUnitsPerAddress: number
}

/**
 * Quotas are judged once the candidates are known, so that rejected requests use up nothing. The request is counted
 * here for the model that is asked first, and for fallbacks when they are asked. A request that then fails stays
 * counted.
 */
export function createFreeTier(deps: FreeTierDeps): FreeTier {
  return {
    apply(request) {
      const asks = asksOf(request, deps.freeModels())
      return asks.size === 0 ? { plan: request.plan, headers: {} } : choose(request, asks)
    },
    countFallback(request, { billing, model }) {
      const ask = billing === 'free' ? request.plan.freeAsks?.get(model.id) : undefined
      return ask === undefined ? undefined : take(request, ask, model.id)
    },
  }

  async function choose(request: FreeTierRequest, asks: ReadonlyMap<string, FreeAsk>): Promise<Applied> {
    const { plan, principal, arrival } = request
    const standings = await standingsOf(request, asks)
    const choice = chooseFree({
      candidates: plan.candidates,
      standings,
      canPay: canPay(principal),
      fallsBack: arrival.freeFallback && principal.freeFallback && !asksForFree(plan.call.modelName),
    })
    if (choice.candidates.length === 0) throw quotaUsed(choice.over ?? 'daily', arrival.receivedAtMs)
    const pending = [...asks].filter(([id]) => standings.get(id) === 'left')
    const { conversation, maxCost, hedgeAfter } = plan
    const explanation = { ...plan.explanation, excluded: [...plan.explanation.excluded, ...choice.excluded] }
    const replanned = planFor(plan.call, choice.candidates, {
      explanation,
      conversation,
      ...(maxCost === undefined ? {} : { maxCost }),
      ...(hedgeAfter === undefined ? {} : { hedgeAfter }),
    })
    const headers: Record<string, string> = choice.paysFor === null ? {} : { [fallbackHeader]: choice.paysFor }
    return { plan: { ...replanned, freeAsks: new Map(pending) }, headers }
  }

  async function take({ plan, principal, arrival }: FreeTierRequest, ask: FreeAsk, modelId: string): Promise<void> {
    const options = { takesFirst: true, nowMs: arrival.receivedAtMs }
    const [standing = 'daily'] = await deps.quotas.ask(subjectOf(principal), [ask], options)
    if (standing === 'daily' || standing === 'rpm') throw quotaUsed(standing, arrival.receivedAtMs)
    plan.freeAsks?.delete(modelId)
  }

  async function standingsOf(
    { arrival, principal, plan }: FreeTierRequest,
    asks: ReadonlyMap<string, FreeAsk>,
  ): Promise<ReadonlyMap<string, FreeStanding>> {
    const nowMs = arrival.receivedAtMs
    const list = [...asks.values()]
    if (plan.call.modelName === autoFree) {
      const units = Math.max(...list.map((ask) => ask.units))
      const address = { ownerId: clientNetwork(arrival.clientIp), clientId: 'address' }
      const limits = { requestsPerMinute: Number.MAX_SAFE_INTEGER, unitsPerDay: deps.autoUnitsPerAddress }
      const ask = { name: autoFree, units, ...limits }
      const [standing] = await deps.quotas.ask(address, [ask], { takesFirst: true, nowMs })
      if (standing !== 'taken' && standing !== 'left') return new Map(list.map(({ name }) => [name, 'daily' as const]))
    }
    // If an organization's own key comes first, the quota is used only after that key fails.
    const takesFirst = plan.candidates[0]?.model.id === list[0]?.name && isOurs(plan.candidates[0])
    const standings = await deps.quotas.ask(subjectOf(principal), list, { takesFirst, nowMs })
    return new Map(list.map(({ name }, index) => [name, standings[index] ?? 'daily']))
  }
}

const autoFree = 'auto:free'
const fallbackHeader = 'x-weir-free-fallback'

/** The quotas that a plan touches, by model, in the order in which they are tried. */
function asksOf({ plan, principal }: FreeTierRequest, freeModels: FreeModels): Map<string, FreeAsk> {
  const asks = new Map<string, FreeAsk>()
  for (const candidate of plan.candidates) {
    const { id } = candidate.model
    if (!isOurs(candidate) || asks.has(id)) continue
    const limits = freeLimitsOf(candidate.model, freeModels)
    if (limits === null) continue
    const factor = canPay(principal) ? freeRules.fundedFactor : 1
    const units = freeUnitsOf(promptSizeFor(plan.call, id).promptTokensEstimate)
    const { requestsPerMinute } = limits
    asks.set(id, { name: id, units, requestsPerMinute, unitsPerDay: limits.unitsPerDay * factor })
  }
  return asks
}

function isOurs(candidate: Candidate | undefined): boolean {
  return candidate?.billing === 'charged' || candidate?.billing === 'free'
}

/** Whether there is any credit. The hold judges whether it is enough. */
function canPay({ balance, organization }: Principal): boolean {
  return balance > 0n || organization?.billing === 'monthly'
}

function subjectOf(principal: Principal): FreeSubject {
  const { walletId, clientId } = rateSubject(principal, 'inference')
  return { ownerId: walletId, clientId }
}

function quotaUsed(over: OverQuota, nowMs: number): GatewayError {
  const retryAfterS = Math.max(1, Math.ceil(freeResetMs(over, nowMs) / 1_000))
  const what =
    over === 'daily'
      ? 'The daily quota of this free model is used up'
      : 'The per-minute limit of this free model has been reached'
  return new GatewayError('freeQuotaUsed', {
    message: `${what}. Nothing was charged. Retry in ${retryAfterS} seconds, or use a paid model.`,
    retryAfterS,
  })
}
