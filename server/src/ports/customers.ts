import type { Actor, AuditEntry } from '#domain/audit/audit-entry.ts'
import type { Role } from '#domain/access/roles.ts'
import type { KeyType } from '#domain/access/principal.ts'
import type { CustomerSearch } from '#domain/customers/parse-customer-search.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { BillingMode } from '#domain/organizations/organization.ts'
import type { Uuid } from '#lib/uuid.ts'

/** The users and organizations of the installation, for operators. */
export interface Customers {
  /** The newest first. */
  list(query: CustomerQuery): Promise<readonly CustomerListing[]>
  /** Null if there is none. */
  find(walletId: Uuid): Promise<Customer | null>
  /** The customers of these wallets, by the wallet's id. */
  nameWallets(walletIds: readonly Uuid[]): Promise<ReadonlyMap<Uuid, CustomerName>>
  /** Users, organizations, wallets, keys, members, teams and provider accounts, by their ids. */
  nameObjects(ids: readonly Uuid[]): Promise<ReadonlyMap<Uuid, ObjectName>>
  /** Returns the note. */
  addNote(note: NewNote, entry: AuditEntry): Promise<CustomerNote>
  /** Returns false if the customer has no such note. */
  removeNote(note: { readonly id: Uuid; readonly ownerId: Uuid }, entry: AuditEntry): Promise<boolean>
}

export interface CustomerQuery {
  readonly search: CustomerSearch
  /** Null for both. */
  readonly kind: CustomerKind | null
  /** Null for active and suspended customers. */
  readonly suspended: boolean | null
  /** Only customers with smaller ids. Null to start with the newest. */
  readonly before: Uuid | null
  readonly limit: number
}

export type CustomerKind = 'user' | 'organization'

export interface CustomerName {
  readonly kind: CustomerKind
  readonly id: Uuid
  /** The name of an organization, or the email address of a user. Null if the user was deleted. */
  readonly name: string | null
}

/** What the platform's audit log shows instead of an id. */
export interface ObjectName {
  /** Null for a customer and for its wallet. */
  readonly name: string | null
  /** The customer that the object belongs to, or null. */
  readonly customer: CustomerName | null
}

export interface CustomerListing {
  readonly kind: CustomerKind
  readonly id: Uuid
  readonly walletId: Uuid
  readonly name: string
  /** The email address of a user or the slug of an organization. Null if the user was deleted. */
  readonly address: string | null
  readonly suspendedAtMs: number | null
  readonly createdAtMs: number
  readonly balance: NanoUsd
  readonly held: NanoUsd
  readonly creditLine: NanoUsd
}

export interface Customer extends CustomerListing {
  /** Only for a user. */
  readonly signIn: CustomerSignIn | null
  /** Only for an organization. */
  readonly terms: CustomerTerms | null
  readonly breaker: {
    readonly enabled: boolean | null
    readonly minute: NanoUsd | null
    readonly hour: NanoUsd | null
  }
  /** The newest keys, and how many there are. */
  readonly keys: readonly CustomerKey[]
  readonly keyCount: number
  /** The organizations of a user, or the members of an organization: administrators first. */
  readonly places: readonly CustomerPlace[]
  readonly placeCount: number
  /** The newest first. */
  readonly notes: readonly CustomerNote[]
}

export interface CustomerSignIn {
  readonly emailVerified: boolean
  /** `password`, or the name of an identity provider such as `google`. */
  readonly ways: readonly string[]
  readonly passkeys: number
  readonly secondFactor: boolean
  readonly sessions: number
  readonly lastSeenAtMs: number | null
}

export interface CustomerTerms {
  readonly plan: string
  readonly billing: BillingMode
  readonly seats: number | null
  readonly weeklyBudget: NanoUsd | null
  readonly monthlyBudget: NanoUsd | null
}

/** Without any part of its secret but the shown ends. */
export interface CustomerKey {
  readonly id: Uuid
  readonly name: string
  readonly shown: string
  readonly type: KeyType
  readonly enabled: boolean
  readonly limit: NanoUsd | null
  readonly period: string | null
  readonly expiresAtMs: number | null
  readonly revokedAtMs: number | null
  readonly createdAtMs: number
}

export interface CustomerPlace {
  /** The organization of a user, or the user that is a member. */
  readonly id: Uuid
  readonly name: string | null
  readonly role: Role
  readonly suspended: boolean
}

export interface NewNote {
  readonly id: Uuid
  readonly ownerId: Uuid
  readonly text: string
  readonly author: Actor
}

export interface CustomerNote extends Omit<NewNote, 'ownerId' | 'author'> {
  /** The name of the operator's key, or the operator's email address. Null for the command line. */
  readonly author: string | null
  readonly createdAtMs: number
}
