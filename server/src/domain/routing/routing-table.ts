import type { UpstreamApi } from '#domain/catalogue/model.ts'
import type { ModelOverrides } from './trait-overrides.ts'

/** An operator's account with an upstream provider. */
export interface ProviderAccount {
  readonly id: string
  readonly name: string
  /** A folder of `providers/`. */
  readonly vendor: string
  /** Null means the vendor's default URL. */
  readonly baseUrl: string | null
  readonly credential: string | null
  /** Whether it may store prompts; clients can exclude such providers. */
  readonly keepsPrompts: boolean
  /** Its share of requests among otherwise equal accounts. */
  readonly weight: number
  /** The region or service tier of its offers. If missing or empty, its URL decides. */
  readonly variant?: string
  /** The operator's overrides of the built-in provider tables. */
  readonly overrides?: readonly ModelOverrides[]
  /** The operator's choice of API for its conversations. If missing, the offer decides. */
  readonly api?: UpstreamApi
  /** The operator's discount at this account, in millionths of the price. If missing, there is none. */
  readonly discountPpm?: number
}

export interface Route {
  /** A model id, `author/*` or `*`. */
  readonly pattern: string
  readonly account: ProviderAccount
  /** Null means that the catalogue's offer has the upstream's name. */
  readonly upstreamModel: string | null
  readonly priority: number
}

/** Enabled accounts and their routes, as one immutable value. */
export interface RoutingTable {
  /** Negative before the table was loaded: no account is known then. */
  readonly revision: number
  readonly accounts: readonly ProviderAccount[]
  /** By pattern; each list in the order of attempts. */
  readonly routes: ReadonlyMap<string, readonly Route[]>
}

export const emptyRoutingTable: RoutingTable = { revision: -1, accounts: [], routes: new Map() }
