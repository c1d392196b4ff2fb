import type { Model } from '#domain/catalogue/model.ts'
import type { PricedKind } from '#domain/money/price-list.ts'
import { type Candidate, findCandidates } from './candidates.ts'
import { offerFor } from './offer-for.ts'
import { findOwnKeys, type OwnKey, type OwnKeyStore, placeOwnKeys } from './own-keys.ts'
import { noPreferences } from './preferences.ts'
import type { ProviderAccount, RoutingTable } from './routing-table.ts'
import type { CanServe } from './served-models.ts'
import { isAlike } from './spread-accounts.ts'

/** How a request without preferences meets one provider account. */
export interface RouteStep {
  readonly account: string
  readonly provider: string
  /** Null if the account has no candidate for the model. */
  readonly upstreamModel: string | null
  readonly isOwnKey: boolean
  /** Several accounts are `first` if they share requests by weight. */
  readonly verdict: 'first' | 'fallback' | 'skipped'
  readonly reason: string
}

interface RouteQuestion {
  readonly model: Model
  readonly purpose: PricedKind
  readonly table: RoutingTable
  readonly canServe: CanServe
  /** Accounts that the table leaves out. */
  readonly disabled: readonly DisabledAccount[]
  /** Why gateways skip a candidate at the moment; null if they do not. */
  readonly circuitOf: (candidate: Candidate) => string | null
  readonly ownKeys: OwnKeyStore
  readonly organizationId: string | null
}

interface DisabledAccount extends Pick<ProviderAccount, 'name' | 'vendor' | 'variant' | 'baseUrl'> {
  /** The patterns that route to it. */
  readonly patterns: readonly string[]
}

/** The pattern whose routes decide for a model; null if every account that sells it is used. */
export function decidingPattern(model: Model, { routes }: RoutingTable): string | null {
  return [model.id, `${model.author}/*`, '*'].find((pattern) => routes.has(pattern)) ?? null
}

/** The accounts that a request would try, in order, then those that it skips, each with the reason. */
export function routeSteps(question: RouteQuestion): RouteStep[] {
  const { model, purpose, table, canServe, ownKeys, organizationId } = question
  const { ordered } = findCandidates(model, table, purpose)
  const able = ordered.filter((candidate) => canServe(candidate.account.vendor, purpose, candidate))
  // No API key has an empty id, so keys that serve only certain API keys are left out.
  const keysOf = (): readonly OwnKey[] =>
    purpose === 'video' ? [] : findOwnKeys(ownKeys, { organizationId, keyId: '' }, model)
  const { candidates } = placeOwnKeys({ platform: able, models: [model], keysOf, preferences: noPreferences })
  return [...tried(candidates, question), ...skipped({ ordered, able, candidates }, question)]
}

function tried(candidates: readonly Candidate[], question: RouteQuestion): RouteStep[] {
  const healthy = candidates.filter((candidate) => question.circuitOf(candidate) === null)
  const [first] = healthy
  const steps = healthy.map((candidate): RouteStep => {
    const alike = healthy.filter((other) => other === candidate || isShared(candidate, other))
    const isFirst = candidate === first || (first !== undefined && isShared(first, candidate))
    const reason = [placeOf(candidate, question), shareOf(candidate, alike)].filter((text) => text !== '').join(' ')
    return { ...stepOf(candidate), verdict: isFirst ? 'first' : 'fallback', reason }
  })
  const open = candidates.flatMap((candidate): RouteStep[] => {
    const reason = question.circuitOf(candidate)
    return reason === null ? [] : [{ ...stepOf(candidate), verdict: 'skipped', reason }]
  })
  return [...steps, ...open]
}

function isShared(one: Candidate, other: Candidate): boolean {
  return one.billing !== 'own_key' && other.billing !== 'own_key' && isAlike(one, other)
}

function stepOf({ account, upstreamModel, billing }: Candidate) {
  return { account: account.name, provider: account.vendor, upstreamModel, isOwnKey: billing === 'own_key' }
}

function placeOf({ account, billing, priority }: Candidate, { model, table }: RouteQuestion): string {
  if (billing === 'own_key') return "The organization's own key comes before the platform's accounts."
  const pattern = decidingPattern(model, table)
  if (pattern !== null) return `Route ${pattern} names it with priority ${priority ?? 0}.`
  if (account.vendor === model.defaultProvider) return 'It is the default provider of the model.'
  return 'It sells the model. Providers after the default one are tried by price.'
}

function shareOf({ account }: Candidate, alike: readonly Candidate[]): string {
  if (alike.length < 2) return ''
  const total = alike.reduce((sum, other) => sum + other.account.weight, 0)
  return `It gets ${account.weight} of ${total} conversations of this provider by its weight.`
}

interface Chosen {
  readonly ordered: readonly Candidate[]
  readonly able: readonly Candidate[]
  readonly candidates: readonly Candidate[]
}

function skipped({ ordered, able, candidates }: Chosen, { model, table, disabled }: RouteQuestion): RouteStep[] {
  const pattern = decidingPattern(model, table)
  const routed = new Set((table.routes.get(pattern ?? '') ?? []).map(({ account }) => account.id))
  const tells = (account: ProviderAccount): string | null => {
    const isIn = (list: readonly Candidate[]): boolean => list.some((candidate) => candidate.account.id === account.id)
    if (isIn(candidates)) return null
    if (isIn(able)) return "An own key without fallback excludes the platform's accounts."
    if (isIn(ordered)) return "The gateway can't send this kind of request to this provider."
    if (pattern !== null && !routed.has(account.id)) {
      return sells(model, account) ? `Route ${pattern} decides, and none of its routes names this account.` : null
    }
    return routed.has(account.id) || sells(model, account) ? 'The catalogue has no price for this request.' : null
  }
  const enabled = table.accounts.flatMap((account) => {
    const reason = tells(account)
    return reason === null ? [] : [skippedStep(account, reason)]
  })
  const off = disabled.filter(({ patterns, ...account }) =>
    pattern === null ? patterns.some((one) => fits(model, one)) || sells(model, account) : patterns.includes(pattern),
  )
  return [...enabled, ...off.map((account) => skippedStep(account, 'The account is disabled.'))]
}

function skippedStep({ name, vendor }: Pick<ProviderAccount, 'name' | 'vendor'>, reason: string): RouteStep {
  return { account: name, provider: vendor, upstreamModel: null, isOwnKey: false, verdict: 'skipped', reason }
}

function fits(model: Model, pattern: string): boolean {
  return pattern === '*' || pattern === model.id || pattern === `${model.author}/*`
}

function sells(model: Model, account: Pick<ProviderAccount, 'vendor' | 'variant' | 'baseUrl'>): boolean {
  return account.vendor === model.defaultProvider || offerFor(model, account) !== undefined
}
