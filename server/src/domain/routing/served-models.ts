import { purposeOfKind } from '#domain/catalogue/can-charge.ts'
import type { Catalogue } from '#domain/catalogue/catalogue.ts'
import type { Model } from '#domain/catalogue/model.ts'
import type { PricedKind } from '#domain/money/price-list.ts'
import { rememberLast } from '#lib/remember-last.ts'
import { type Candidate, findCandidates } from './candidates.ts'
import { calledId } from './free-variants.ts'
import { findOwnKeys, type OwnKeyStore, type OwnKeyClient } from './own-keys.ts'
import type { RoutingTable } from './routing-table.ts'

/** Whether a provider can serve such a request at all, through the API with which it sells the model. */
export type CanServe = (vendor: string, purpose: PricedKind, sold: Pick<Candidate, 'api' | 'price'>) => boolean

/** The models of a catalogue that have a priced provider, by the operator's accounts and routes. */
export type FindServed = (catalogue: Catalogue, table: RoutingTable) => ReadonlySet<string>

/** Clients poll listings, so the result is cached until the catalogue or the routes change. */
export function createFindServed(canServe: CanServe): FindServed {
  return rememberLast((catalogue, table) => {
    const served = [...catalogue.models.values()].filter((model) => isServed(model, table, canServe))
    return new Set(served.map(({ id }) => id))
  })
}

function isServed(model: Model, table: RoutingTable, canServe: CanServe): boolean {
  const purpose = purposeOfKind(model.kind)
  return findCandidates(model, table, purpose).ordered.some((candidate) =>
    canServe(candidate.account.vendor, purpose, candidate),
  )
}

/**
 * Whether a client can call a listed model: a test model, a served model, or one that its organization's own key
 * serves.
 */
export function canBeCalled(
  model: Model,
  among: {
    readonly catalogue: Catalogue
    readonly served: ReadonlySet<string>
    readonly ownKeys: OwnKeyStore
    readonly client: OwnKeyClient | null
  },
): boolean {
  if (model.author === 'test' || among.served.has(calledId(among.catalogue, model.id))) return true
  return among.client !== null && findOwnKeys(among.ownKeys, among.client, model).length > 0
}
