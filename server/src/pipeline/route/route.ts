import type { DialectCall } from '#dialects/dialect.ts'
import type { Model } from '#domain/catalogue/model.ts'
import { conversationKey } from '#domain/routing/conversation-key.ts'
import type { Candidate } from '#domain/routing/candidates.ts'
import type { Excluded, RoutingExplanation } from '#domain/routing/explanation.ts'
import { findOwnKeys, type OwnKeyStore, type OwnKeyClient, placeOwnKeys } from '#domain/routing/own-keys.ts'
import { orderCandidates } from '#domain/routing/order-candidates.ts'
import type { Measurements } from '#domain/routing/measurements.ts'
import type { Preferences } from '#domain/routing/preferences.ts'
import { requestedParameters } from '#domain/routing/requested-parameters.ts'
import type { RoutingTable } from '#domain/routing/routing-table.ts'
import { spreadAccounts } from '#domain/routing/spread-accounts.ts'
import type { Wanted } from '#domain/routing/wanted.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { Uuid } from '#lib/uuid.ts'
import { purposeOf } from '#dialects/purpose-of.ts'
import { acceptsPlugins } from '#providers/registry.ts'
import { canServe } from '#providers/codecs/can-serve.ts'
import { notLoaded } from '../not-loaded.ts'
import type { Plan } from '../types.ts'
import { planFor } from './plan-for.ts'
import { explain, prepareModel, pricedAt } from './prepared-model.ts'
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
  return (request) => {
    const { call, wanted, preferences, wantsEvents, walletId } = request
    const table = deps.routing()
    const found = findOffers(request, table)
    const ordered = orderCandidates({
      found: wanted.online ? pluginHostsFirst(found.candidates) : found.candidates,
      preferences: withSort(preferences, wanted.sort),
      parameters: preferences.requireParameters ? requestedParameters(call.body) : [],
      measurements: deps.measurements,
      purposeOf: ({ model }) => purposeOf(call, model, wantsEvents),
    })
    const isConversation = call.media === undefined && ordered.candidates.length > 1
    const conversation = isConversation ? conversationKey(walletId, call.body) : null
    const arranged = conversation === null ? ordered.candidates : arrange(ordered.candidates, conversation, request)
    const placed = withOwnKeys(arranged, request, deps.ownKeys())
    const excluded = joined(wanted.excluded, found.excluded, ordered.excluded, placed.excluded)
    const { candidates } = placed
    if (candidates.length === 0) {
      throw table.revision < 0 ? notLoaded('routing table') : noCandidate(call, wanted.models, excluded)
    }
    const isPrepared = candidates === found.candidates && excluded.length === found.excluded.length
    const explanation =
      (isPrepared && wanted.autoTier === null ? found.explanation : undefined) ??
      ({ candidates: candidates.map(explain), excluded, autoTier: wanted.autoTier } satisfies RoutingExplanation)
    const { maxCost, hedgeAfter } = preferences
    return planFor(call, candidates, {
      explanation,
      conversation,
      ...(maxCost === undefined ? {} : { maxCost }),
      ...(hedgeAfter === undefined ? {} : { hedgeAfter }),
    })
  }

  function arrange(
    left: readonly Candidate[],
    name: string,
    { preferences, wanted }: RouteRequest,
  ): readonly Candidate[] {
    const spread = spreadAccounts(left, name)
    // A client's explicit order is respected.
    const isFree = preferences.order.length === 0 && (preferences.sort ?? wanted.sort) === null && !wanted.online
    return isFree ? warmFirst(spread, deps.sticky.find(name)) : spread
  }
}

interface Offers {
  readonly candidates: readonly Candidate[]
  readonly excluded: readonly Excluded[]
  /** Only if a single model's candidates are taken as they were prepared. */
  readonly explanation?: RoutingExplanation
}

/** The offers of all wanted models that can serve the request, at their current prices. */
function findOffers(request: RouteRequest, table: RoutingTable): Offers {
  const [first, ...others] = request.wanted.models
  if (first === undefined) return { candidates: [], excluded: none }
  const offers = offersOf(first, request, table)
  if (others.length === 0) return offers
  const all = [offers, ...others.map((model) => offersOf(model, request, table))]
  return {
    candidates: all.flatMap(({ candidates }) => candidates),
    excluded: all.flatMap(({ excluded }) => excluded),
  }
}

function offersOf(model: Model, { call, wantsEvents, receivedAtMs }: RouteRequest, table: RoutingTable): Offers {
  const prepared = prepareModel(model, table, purposeOf(call, model, wantsEvents))
  const isPlain = call.media?.fitTo === undefined && prepared.candidates.every(({ price }) => price.rules === undefined)
  if (isPlain || model.author === 'test') return prepared
  const excluded: Excluded[] = [...prepared.excluded]
  const candidates = prepared.candidates.filter((candidate) => {
    const rule = videoObjection(call, candidate)
    if (rule !== null) excluded.push({ model: model.id, provider: candidate.account.vendor, rule })
    return rule === null
  })
  return { candidates: candidates.map((candidate) => pricedAt(candidate, receivedAtMs)), excluded }
}

const none: readonly Excluded[] = []

/** Most requests exclude nothing, or in one place only: then that list itself is returned. */
function joined(...lists: readonly (readonly Excluded[])[]): readonly Excluded[] {
  const filled = lists.filter(({ length }) => length > 0)
  return filled.length > 1 ? filled.flat() : (filled[0] ?? none)
}

function withSort(preferences: Preferences, sort: Preferences['sort']): Preferences {
  return sort === null || preferences.sort !== null ? preferences : { ...preferences, sort }
}

/** The candidates with the organization's own keys among them. */
function withOwnKeys(platform: readonly Candidate[], request: RouteRequest, store: OwnKeyStore): Offers {
  const { call, wanted, preferences, wantsEvents, receivedAtMs, organizationId, keyId } = request
  if (organizationId === null || !store.byOrganization.has(organizationId)) {
    return { candidates: platform, excluded: none }
  }
  const keysOf = (model: Model) => {
    const purpose = purposeOf(call, model, wantsEvents)
    // Workers create videos, and they have only the platform's accounts, no own keys. Realtime sessions open sockets,
    // which have no guarded pools.
    if (purpose === 'video' || purpose === 'realtime') return []
    return findOwnKeys(store, { organizationId, keyId }, model).filter(({ account }) =>
      canServe(account.vendor, purpose),
    )
  }
  const placed = placeOwnKeys({ platform, models: wanted.models, keysOf, preferences })
  return {
    candidates: placed.candidates.map((candidate) => pricedAt(candidate, receivedAtMs)),
    excluded: placed.excluded,
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
