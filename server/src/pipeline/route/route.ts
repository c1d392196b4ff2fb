import type { DialectCall } from '#dialects/dialect.ts'
import type { Model } from '#domain/catalogue/model.ts'
import { conversationKey } from '#domain/routing/conversation-key.ts'
import { type Candidate, findCandidates } from '#domain/routing/candidates.ts'
import type { Excluded, RoutingExplanation } from '#domain/routing/explanation.ts'
import { findOwnKeys, type OwnKeyStore, type OwnKeyClient, placeOwnKeys } from '#domain/routing/own-keys.ts'
import { orderCandidates } from '#domain/routing/order-candidates.ts'
import type { Measurements } from '#domain/routing/measurements.ts'
import type { Preferences } from '#domain/routing/preferences.ts'
import { requestedParameters } from '#domain/routing/requested-parameters.ts'
import type { RoutingTable } from '#domain/routing/routing-table.ts'
import { spreadAccounts } from '#domain/routing/spread-accounts.ts'
import type { Wanted } from '#domain/routing/wanted.ts'
import { testCandidate } from '#domain/test-models/test-candidate.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { Uuid } from '#lib/uuid.ts'
import { purposeOf } from '#dialects/purpose-of.ts'
import { pricesAt } from '#domain/money/price-clock.ts'
import type { PricedKind } from '#domain/money/price-list.ts'
import { acceptsPlugins } from '#providers/registry.ts'
import { canServe } from '#providers/codecs/can-serve.ts'
import { notLoaded } from '../not-loaded.ts'
import type { Plan } from '../types.ts'
import { planFor } from './plan-for.ts'
import { videoObjection } from './video-objection.ts'
import type { StickyStore } from './sticky-store.ts'

export interface RouteRequest extends OwnKeyClient {
  readonly call: DialectCall
  readonly wanted: Wanted
  readonly preferences: Preferences
  readonly wantsEvents: boolean
  /** When the request arrived, which decides time-dependent prices. */
  readonly receivedAtMs: number
  readonly walletId: Uuid
}

export interface RouteDeps {
  readonly routing: () => RoutingTable
  readonly ownKeys: () => OwnKeyStore
  readonly measurements: Measurements
  readonly sticky: Pick<StickyStore, 'find'>
}

type RouteStage = (request: RouteRequest) => Plan

/** Orders the candidates and sizes the hold for the most expensive one. No I/O: routes are a snapshot in memory. */
export function createRoute(deps: RouteDeps): RouteStage {
  return ({ call, wanted, preferences, wantsEvents, receivedAtMs, walletId, organizationId, keyId }) => {
    const pricedNow = (candidate: Candidate): Candidate => {
      const price = pricesAt(candidate.price, receivedAtMs)
      return price === candidate.price ? candidate : { ...candidate, price }
    }
    const excluded: Excluded[] = [...wanted.excluded]
    const found = wanted.models.flatMap((model) =>
      model.author === 'test'
        ? [testCandidate(model)]
        : serving(model, purposeOf(call, model, wantsEvents), deps.routing(), excluded)
            .filter((candidate) => {
              const rule = videoObjection(call, candidate)
              if (rule !== null) excluded.push({ model: model.id, provider: candidate.account.vendor, rule })
              return rule === null
            })
            .map(pricedNow),
    )
    const ordered = orderCandidates({
      found: wanted.online ? pluginHostsFirst(found) : found,
      preferences: { ...preferences, sort: preferences.sort ?? wanted.sort },
      parameters: preferences.requireParameters ? requestedParameters(call.body) : [],
      measurements: deps.measurements,
      purposeOf: ({ model }) => purposeOf(call, model, wantsEvents),
    })
    excluded.push(...ordered.excluded)
    const isConversation = call.media === undefined && ordered.candidates.length > 1
    const conversation = isConversation ? conversationKey(walletId, call.body) : null
    const arranged = conversation === null ? ordered.candidates : arrange(ordered.candidates, conversation)
    const candidates = withOwnKeys(arranged)
    if (candidates.length === 0) {
      throw deps.routing().revision < 0 ? notLoaded('routing table') : noCandidate(call, wanted.models, excluded)
    }
    return planFor(call, candidates, { explanation: explain(candidates, excluded, wanted), conversation })

    function withOwnKeys(platform: readonly Candidate[]): readonly Candidate[] {
      const store = deps.ownKeys()
      if (organizationId === null || !store.byOrganization.has(organizationId)) return platform
      const keysOf = (model: Model) => {
        const purpose = purposeOf(call, model, wantsEvents)
        // Workers create videos, and they have only the platform's accounts, no own keys.
        if (purpose === 'video') return []
        return findOwnKeys(store, { organizationId, keyId }, model).filter(({ account }) =>
          canServe(account.vendor, purpose),
        )
      }
      const placed = placeOwnKeys({ platform, models: wanted.models, keysOf, preferences })
      excluded.push(...placed.excluded)
      return placed.candidates.map(pricedNow)
    }

    function arrange(left: readonly Candidate[], name: string): readonly Candidate[] {
      const spread = spreadAccounts(left, name)
      // A client's explicit order is respected.
      const isFree = preferences.order.length === 0 && (preferences.sort ?? wanted.sort) === null && !wanted.online
      return isFree ? warmFirst(spread, deps.sticky.find(name)) : spread
    }
  }
}

/** A request for the web goes to providers that can search it, if there are any. Models keep their order. */
function pluginHostsFirst(candidates: readonly Candidate[]): readonly Candidate[] {
  const models = [...new Set(candidates.map(({ model }) => model.id))]
  const place = ({ model, account }: Candidate): number =>
    models.indexOf(model.id) * 2 + (acceptsPlugins(account.vendor) ? 0 : 1)
  return candidates.toSorted((one, other) => place(one) - place(other))
}

/** The account that answered last comes first among the candidates of the first model. Models keep their order. */
function warmFirst(candidates: readonly Candidate[], accountId: string | null): readonly Candidate[] {
  const warm = candidates.findIndex(({ account }) => account.id === accountId)
  const chosen = candidates[warm]
  if (chosen === undefined || warm === 0 || chosen.model.id !== candidates[0]?.model.id) return candidates
  return [chosen, ...candidates.slice(0, warm), ...candidates.slice(warm + 1)]
}

/** The offers that can serve this purpose and have a price. */
function serving(model: Model, purpose: PricedKind, table: RoutingTable, excluded: Excluded[]): readonly Candidate[] {
  const found = findCandidates(model, table, purpose)
  for (const provider of found.unpriced) excluded.push({ model: model.id, provider, rule: 'no_price' })
  return found.ordered.filter((candidate) => {
    const { account } = candidate
    const isAble = canServe(account.vendor, purpose, candidate)
    if (!isAble) excluded.push({ model: model.id, provider: account.vendor, rule: 'unfit' })
    return isAble
  })
}

function explain(candidates: readonly Candidate[], excluded: readonly Excluded[], wanted: Wanted): RoutingExplanation {
  return {
    candidates: candidates.map(({ model, account, billing, price }) => ({
      model: model.id,
      provider: account.vendor,
      ...(billing === 'charged' ? { priceId: price.id } : {}),
    })),
    excluded,
    autoTier: wanted.autoTier,
  }
}

function noCandidate(call: DialectCall, models: readonly Model[], excluded: readonly Excluded[]): GatewayError {
  const names = models.map(({ id }) => `"${id}"`).join(', ')
  const rules = new Set(excluded.map(({ rule }) => rule))
  const task = call.media?.task
  if (task?.kind === 'video' && rules.size === 1 && rules.has('unfit')) {
    return new GatewayError('unsupportedParam', {
      message: `No configured provider supports ${task.task} with ${names}.`,
    })
  }
  if (models.every(isUnpriced) || (rules.size === 1 && rules.has('no_price'))) {
    return new GatewayError('modelNotPriced', {
      message: `${names} has no price yet, so it can't be called. Choose another model.`,
    })
  }
  if (excluded.some(({ provider, rule }) => provider !== null && rule !== 'no_price')) {
    return new GatewayError('modelNotServed', {
      message: `No provider for ${names} meets this request's requirements (excluded by: ${[...rules].join(', ')}).`,
    })
  }
  return new GatewayError('modelNotServed', {
    message: `No provider is configured for ${names}. GET /v1/models?available=true lists the models you can call.`,
    inside: 'no provider account or route serves this model; add one with `weir provider add`',
  })
}

function isUnpriced(model: Model): boolean {
  return model.price === null && model.offers.every((offer) => offer.price === null)
}
