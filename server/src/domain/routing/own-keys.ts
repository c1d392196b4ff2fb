import type { Model } from '#domain/catalogue/model.ts'
import type { PriceList } from '#domain/money/price-list.ts'
import type { Uuid } from '#lib/uuid.ts'
import { apiOf, type Candidate } from './candidates.ts'
import type { Excluded } from './explanation.ts'
import type { Preferences } from './preferences.ts'
import type { ProviderAccount } from './routing-table.ts'

export const ownKeyProtocols = ['openai', 'anthropic'] as const
export type OwnKeyProtocol = (typeof ownKeyProtocols)[number]

/** A protocol at any address, or a provider that the gateway knows, by its slug. */
export type OwnKeyWay =
  | { readonly kind: 'protocol'; readonly protocol: OwnKeyProtocol }
  | { readonly kind: 'provider'; readonly provider: string }

/** Whether a request falls back to the platform's providers if the own key fails. */
export const fallbackModes = ['seamless', 'strict'] as const
export type FallbackMode = (typeof fallbackModes)[number]

/** An organization's own key for a provider, as requests use it. */
export interface OwnKey {
  readonly id: Uuid
  readonly account: ProviderAccount
  readonly fallbackMode: FallbackMode
  /** Empty means every key of the organization. */
  readonly scopedKeyIds: ReadonlySet<Uuid>
  /** The provider's name for each model that it serves, by our id. */
  readonly models: ReadonlyMap<string, string>
}

/** The enabled own keys of every organization, as one immutable value; each list in the order of attempts. */
export interface OwnKeyStore {
  readonly revision: number
  readonly byOrganization: ReadonlyMap<Uuid, readonly OwnKey[]>
}

export const emptyOwnKeyStore: OwnKeyStore = { revision: 0, byOrganization: new Map() }

export interface OwnKeyClient {
  readonly organizationId: Uuid | null
  readonly keyId: Uuid
}

/** The own keys that serve a model for a client. Most clients have no own keys, so that is checked first. */
export function findOwnKeys(
  store: OwnKeyStore,
  { organizationId, keyId }: OwnKeyClient,
  model: Model,
): readonly OwnKey[] {
  const keys = organizationId === null ? undefined : store.byOrganization.get(organizationId)
  if (keys === undefined) return none
  return keys.filter(
    ({ models, scopedKeyIds }) => models.has(model.id) && (scopedKeyIds.size === 0 || scopedKeyIds.has(keyId)),
  )
}

const none: readonly OwnKey[] = []

/**
 * Puts own keys before the platform's providers of the same model; models stay in their order. If one of them is
 * strict, the platform's providers of that model are excluded. Preferences about price, data and quality apply to the
 * platform's providers; own keys only respect `only` and `ignore`, and `allow_fallbacks` counts an own key as the first
 * provider.
 */
export function placeOwnKeys(request: {
  readonly platform: readonly Candidate[]
  readonly models: readonly Model[]
  readonly keysOf: (model: Model) => readonly OwnKey[]
  readonly preferences: Preferences
}): { candidates: readonly Candidate[]; excluded: readonly Excluded[] } {
  const { models, keysOf, preferences } = request
  const excluded: Excluded[] = []
  let candidates = [...request.platform]
  for (const [place, model] of models.entries()) {
    const keys = keysOf(model)
    if (keys.length === 0) continue
    if (keys.some(({ fallbackMode }) => fallbackMode === 'strict')) {
      for (const left of candidates.filter((candidate) => candidate.model.id === model.id)) {
        excluded.push({ model: model.id, provider: left.account.vendor, rule: 'strict_key' })
      }
      candidates = candidates.filter((candidate) => candidate.model.id !== model.id)
    }
    const before = candidates.findIndex((candidate) => placeOf(candidate, models) >= place)
    const own = keys.flatMap((key) => fromOwnKey(model, key, preferences, excluded))
    candidates.splice(before === -1 ? candidates.length : before, 0, ...own)
  }
  if (preferences.allowFallbacks) return { candidates, excluded }
  for (const { model, account } of candidates.slice(1)) {
    excluded.push({ model: model.id, provider: account.vendor, rule: 'allow_fallbacks' })
  }
  return { candidates: candidates.slice(0, 1), excluded }
}

function placeOf({ model }: Candidate, models: readonly Model[]): number {
  return models.findIndex(({ id }) => id === model.id)
}

function fromOwnKey(model: Model, key: OwnKey, { only, ignore }: Preferences, excluded: Excluded[]): Candidate[] {
  const { vendor } = key.account
  const rule = only !== null && !only.includes(vendor) ? 'only' : ignore.includes(vendor) ? 'ignore' : null
  if (rule !== null) {
    excluded.push({ model: model.id, provider: vendor, rule })
    return []
  }
  const offer = model.offers.find(({ provider }) => provider === vendor)
  return [
    {
      model,
      account: key.account,
      upstreamModel: key.models.get(model.id) ?? model.id,
      price: offer?.price ?? model.price ?? unknownPrice,
      maxCompletionTokens: offer?.maxCompletionTokens ?? model.maxCompletionTokens,
      quantization: offer?.quantization ?? null,
      billing: 'own_key',
      ...apiOf(offer, key.account),
    },
  ]
}

// A model without a platform price can still be called with an own key.
const unknownPrice: PriceList = { id: '', base: {}, tiers: [] }
