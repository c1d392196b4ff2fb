import type { BrakeState } from '#domain/limits/brake.ts'
import type { Sealed } from '#lib/seal.ts'
import type { Uuid } from '#lib/uuid.ts'

/** What the person who runs the service decides. Every change moves a revision in the same transaction. */
export interface Operators {
  /** False: the name is taken. */
  addAccount(account: NewProviderAccount): Promise<boolean>
  listAccounts(): Promise<ProviderAccountListing[]>
  /** False: no such account. */
  setAccountEnabled(name: string, enabled: boolean): Promise<boolean>
  addRoute(route: NewRoute): Promise<'added' | 'exists' | 'no such account'>
  listRoutes(): Promise<RouteListing[]>
  /** False: no such route. */
  removeRoute(route: { pattern: string; accountName: string }): Promise<boolean>
  setBrake(state: BrakeState): Promise<void>
  readBrake(): Promise<BrakeState>
}

export interface NewProviderAccount {
  id: Uuid
  name: string
  vendor: string
  baseUrl: string | null
  credential: Sealed | null
}

/** Never the credential, not even a part of it. */
export interface ProviderAccountListing {
  id: Uuid
  name: string
  vendor: string
  baseUrl: string | null
  hasCredential: boolean
  enabled: boolean
}

export interface NewRoute {
  id: Uuid
  pattern: string
  accountName: string
  upstreamModel: string | null
  priority: number
}

export interface RouteListing {
  pattern: string
  accountName: string
  upstreamModel: string | null
  priority: number
  accountEnabled: boolean
}
