import { readWallet } from '#control/wallets/credit-wallet.ts'
import { judgeModel } from '#domain/access/judge-model.ts'
import { purposeOfKind } from '#domain/catalogue/can-charge.ts'
import type { Catalogue } from '#domain/catalogue/catalogue.ts'
import { lifeCycleAt } from '#domain/catalogue/life-cycle.ts'
import type { Model } from '#domain/catalogue/model.ts'
import type { Candidate } from '#domain/routing/candidates.ts'
import type { OwnKeyStore } from '#domain/routing/own-keys.ts'
import { resolveModel } from '#domain/routing/resolve-model.ts'
import { decidingPattern, type RouteStep, routeSteps } from '#domain/routing/route-steps.ts'
import type { RoutingTable } from '#domain/routing/routing-table.ts'
import type { CanServe } from '#domain/routing/served-models.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { AccountCircuits } from '#ports/circuits.ts'
import type { Wallet, Wallets } from '#ports/ledger.ts'
import type { Operators } from '#ports/operators.ts'
import type { AllowedModelsStore } from '#ports/organization-rules.ts'

export interface ExplainRouteDeps {
  readonly catalogue: () => Catalogue
  readonly routing: () => RoutingTable
  readonly ownKeys: () => OwnKeyStore
  readonly canServe: CanServe
  readonly operators: Pick<Operators, 'listAccounts' | 'listCircuits' | 'listRoutes'>
  readonly wallets: Wallets
  readonly allowedModels: Pick<AllowedModelsStore, 'find'>
}

/** Where a request without routing preferences would be sent. */
export interface RouteExplanation {
  readonly model: string
  /** The pattern whose routes decide; null if every account that sells the model is used. */
  readonly pattern: string | null
  /** Why the request would be rejected before any account is chosen; null if it would not. */
  readonly refusal: string | null
  readonly steps: readonly RouteStep[]
}

/** The customer is a wallet's id, its owner's id, an email address or a slug; null for any customer. */
export async function explainRoute(
  deps: ExplainRouteDeps,
  { name, customer }: { readonly name: string; readonly customer: string | null },
  nowMs: number,
): Promise<RouteExplanation> {
  const model = findNamed(name, deps.catalogue(), nowMs)
  const wallet = customer === null ? null : await readWallet(deps.wallets, customer)
  const organizationId = wallet?.ownerKind === 'organization' ? wallet.ownerId : null
  const table = deps.routing()
  const purpose = purposeOfKind(model.kind)
  const steps = routeSteps({
    ...deps,
    ...(await readState(deps)),
    model,
    purpose,
    table,
    ownKeys: deps.ownKeys(),
    organizationId,
  })
  const refusal = refusalOf(model, nowMs) ?? (await refusalFor(deps, wallet, model))
  return { model: model.id, pattern: decidingPattern(model, table), refusal, steps }
}

function findNamed(name: string, catalogue: Catalogue, nowMs: number): Model {
  const found = resolveModel(name, catalogue, { nowMs, completesBareNames: true, testModels: false })
  const model = found.found ? found.model : found.why === 'retired' ? catalogue.models.get(found.id) : undefined
  if (model === undefined) throw new GatewayError('modelNotFound', { message: `Model ${name} not found.` })
  return model
}

async function readState({ operators }: ExplainRouteDeps) {
  const [accounts, routes, circuits] = await Promise.all([
    operators.listAccounts(),
    operators.listRoutes(),
    operators.listCircuits(),
  ])
  const disabled = accounts
    .filter(({ enabled }) => !enabled)
    .map(({ name, vendor, variant, baseUrl }) => {
      const patterns = routes.filter(({ accountName }) => accountName === name).map(({ pattern }) => pattern)
      return { name, vendor, variant, baseUrl, patterns }
    })
  return { disabled, circuitOf: (candidate: Candidate) => circuitWords(candidate, circuits) }
}

function circuitWords({ account, upstreamModel }: Candidate, circuits: readonly AccountCircuits[]): string | null {
  const open = circuits.find(({ accountId, models }) => accountId === account.id && models.includes(upstreamModel))
  if (open === undefined) return null
  const since = new Date(open.openedAtMs).toISOString().slice(0, 16).replace('T', ' ')
  const gateways = open.gateways === 1 ? '1 gateway' : `${open.gateways} gateways`
  return `Its circuit has been open since ${since} UTC on ${gateways}: ${open.reason}.`
}

function refusalOf(model: Model, nowMs: number): string | null {
  return lifeCycleAt(model, nowMs) === 'retired' ? 'The model is retired.' : null
}

async function refusalFor(
  { allowedModels }: ExplainRouteDeps,
  wallet: Wallet | null,
  { id }: Model,
): Promise<string | null> {
  if (wallet?.ownerKind !== 'organization') return null
  const layers = await allowedModels.find({ kind: 'organization', organizationId: wallet.ownerId })
  const patterns = layers?.organization ?? []
  const isAllowed = patterns.length === 0 || judgeModel([patterns], id).allowed
  return isAllowed ? null : "The organization's list of allowed models does not contain it."
}
