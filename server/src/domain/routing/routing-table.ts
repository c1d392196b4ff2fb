import type { UpstreamApi } from '#domain/catalogue/model.ts'
import type { ModelOverrides } from './trait-overrides.ts'

/** An operator's account with an upstream provider. */
export interface ProviderAccount {
  readonly id: string
  readonly name: string
  /** A folder of `providers/`. */
  readonly vendor: string
  /** Null: the vendor's own address. */
  readonly baseUrl: string | null
  readonly credential: string | null
  /** Whether it may keep prompts; clients can ask to be spared such hosts. */
  readonly keepsPrompts: boolean
  /** Its share of requests among accounts that are otherwise alike. */
  readonly weight: number
  /** The region or service tier whose offers hold for it. Left out or empty: told by its address. */
  readonly variant?: string
  /** Where its operator knows better than the program's tables what it takes. */
  readonly overrides?: readonly ModelOverrides[]
  /** The interface that the operator wants its conversations to go through. Left out: as the offers say. */
  readonly api?: UpstreamApi
}

export interface Route {
  /** A model id, `author/*` or `*`. */
  readonly pattern: string
  readonly account: ProviderAccount
  /** Null: the catalogue's offer knows the upstream's name. */
  readonly upstreamModel: string | null
  readonly priority: number
}

/** Enabled accounts and their routes, as one immutable value. */
export interface RoutingTable {
  /** Negative before the table was ever loaded: then nothing is known of any account. */
  readonly revision: number
  readonly accounts: readonly ProviderAccount[]
  /** By pattern; each list in the order of trying. */
  readonly routes: ReadonlyMap<string, readonly Route[]>
}

export const emptyRoutingTable: RoutingTable = { revision: -1, accounts: [], routes: new Map() }
