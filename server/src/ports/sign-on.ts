import type { AuditEntry } from '#domain/audit/audit-entry.ts'
import type {
  Connection,
  ConnectionSettings,
  ConnectionTest,
  GroupMapping,
  OidcSettings,
  SamlSettings,
} from '#domain/sign-on/connection.ts'
import type { ProvenIdentity } from '#domain/sign-on/proven-identity.ts'
import type { JsonObject } from '#lib/json.ts'
import type { Sealed } from '#lib/seal.ts'
import type { Uuid } from '#lib/uuid.ts'

/** A domain that an organization claims. */
export interface OrganizationDomain {
  readonly id: Uuid
  readonly domain: string
  /** The TXT record's value that verifies the domain. */
  readonly token: string
  /** Null until the record was found. */
  readonly verifiedAtMs: number | null
  readonly createdAtMs: number
}

/** Reads that decide about addresses and groups, also for provisioning. */
export interface OrganizationDomains {
  /** The organization that has verified the domain, or null. */
  findOwner(domain: string): Promise<Uuid | null>
  /** In the order in which they are tried: the first that matches decides. */
  listGroups(organizationId: Uuid): Promise<readonly GroupMapping[]>
}

/** Settings of single sign-on, by organization. */
export interface SignOnStore extends OrganizationDomains {
  listDomains(organizationId: Uuid): Promise<OrganizationDomain[]>
  listConnections(organizationId: Uuid): Promise<Connection[]>
  /** A connection of any organization. The secret is null if the connection has none. */
  findConnection(id: Uuid): Promise<OpenConnection | null>
  /** The enabled connection of the organization that has verified the domain, or null. */
  findEnabled(domain: string): Promise<EnabledConnection | null>
  /** Whether the person with this address administers the organization and is not suspended there. */
  isAdministrator(query: { organizationId: Uuid; address: string }): Promise<boolean>
  noteTest(connectionId: Uuid, test: ConnectionTest): Promise<void>
  /** Commits everything that `work` does, or nothing. Changes within one organization are serialized. */
  change<Result>(organizationId: Uuid, work: (open: OpenSignOn) => Promise<Result>): Promise<Result>
}

export interface OpenConnection {
  readonly connection: Connection
  readonly secret: Sealed | null
  readonly organization: { readonly name: string; readonly slug: string; readonly suspended: boolean }
}

export interface EnabledConnection {
  readonly connectionId: Uuid
  readonly organizationId: Uuid
  readonly organizationName: string
  readonly enforced: boolean
}

/** An organization's sign-on settings while they are being changed. */
export interface OpenSignOn {
  listDomains(): Promise<OrganizationDomain[]>
  insertDomain(domain: Pick<OrganizationDomain, 'id' | 'domain' | 'token'>): Promise<void>
  /** Returns false if another organization has verified the domain. */
  verifyDomain(id: Uuid): Promise<boolean>
  deleteDomain(id: Uuid): Promise<void>
  listConnections(): Promise<Connection[]>
  insertConnection(connection: NewConnection): Promise<void>
  /** Without a secret, the stored one stays. */
  updateConnection(connection: ConnectionChange): Promise<void>
  deleteConnection(id: Uuid): Promise<void>
  listGroups(): Promise<readonly GroupMapping[]>
  replaceGroups(groups: readonly GroupMapping[]): Promise<void>
  /** The ids that are teams of the organization. */
  findTeams(ids: readonly Uuid[]): Promise<readonly Uuid[]>
  append(entry: AuditEntry): Promise<void>
}

export interface NewConnection {
  readonly id: Uuid
  readonly name: string
  readonly settings: ConnectionSettings
  readonly secret: Sealed | null
}

export interface ConnectionChange extends Pick<Connection, 'id' | 'name' | 'settings' | 'enabled' | 'enforced'> {
  readonly secret: Sealed | null
  /** Whether earlier tests no longer tell anything about the connection. */
  readonly forgetsTests: boolean
  /** Whether people are identified in another way, so that the links to their accounts no longer tell anything. */
  readonly forgetsPeople: boolean
}

/** Sign-ins under way. They are in Postgres, so that each is used once on all gateways together. */
export interface SignOnAttempts {
  begin(attempt: NewAttempt): Promise<void>
  /** Takes the attempt. Null if there is none, it has expired or was taken before. */
  take(query: { state: string; nowMs: number }): Promise<{ connectionId: Uuid; details: JsonObject } | null>
  /** Returns false if the assertion was used before. */
  useAssertion(query: { connectionId: Uuid; assertionId: string; expiresAtMs: number }): Promise<boolean>
}

export interface NewAttempt {
  readonly state: string
  readonly connectionId: Uuid
  readonly details: JsonObject
  readonly expiresAtMs: number
}

/** A connection to an OpenID Connect provider, with what only this connection uses. */
export interface OidcQuery {
  readonly organizationId: Uuid
  readonly settings: OidcSettings
  readonly clientSecret: string
  readonly redirectUri: string
  readonly state: string
}

/** Signs people in at OpenID Connect providers. Rejects with a message for the organization's administrators. */
export interface OidcClient {
  /** The page of the provider, and what must be remembered until the person returns. */
  begin(query: OidcQuery): Promise<{ url: string; memory: JsonObject }>
  /** Exchanges the code in the callback URL for a proven identity. */
  finish(query: OidcQuery & { callback: URL; memory: JsonObject }): Promise<ProvenIdentity>
}

/** A connection to a SAML provider, with the organization's own addresses. */
export interface SamlQuery {
  readonly settings: SamlSettings
  /** Our entity id for the organization. */
  readonly audience: string
  /** The URL that takes the organization's answers. */
  readonly recipient: string
}

/** What the browser brings from a SAML provider. */
export interface SamlAnswer {
  /** The base64 of the response. */
  readonly response: string
  /** The id of the request that it must answer. Null if the provider began the sign-in. */
  readonly requestId: string | null
  readonly nowMs: number
}

export interface ProvenAssertion {
  readonly identity: ProvenIdentity
  readonly assertionId: string
  /** From then on, the assertion is refused for its age. */
  readonly expiresAtMs: number
}

/** Signs people in at SAML providers. Rejects with a message for the organization's administrators. */
export interface SamlClient {
  /** The page of the provider, and what must be remembered until the person returns. */
  begin(query: SamlQuery & { state: string }): Promise<{ url: string; memory: JsonObject }>
  /** Verifies the response. The same assertion is verified as often as it is asked for. */
  finish(query: SamlQuery & SamlAnswer): Promise<ProvenAssertion>
}

/** Fetches a provider's metadata in the organization's turn. Rejects with a message for its administrators. */
export type FetchMetadata = (organizationId: Uuid, url: URL) => Promise<string>

/** People at identity providers and their accounts. */
export interface SignOnIdentities {
  find(query: { connectionId: Uuid; subject: string }): Promise<LinkedIdentity | null>
  /** Links the person, or notes that they were seen again. False if the account is linked to another subject. */
  save(identity: SavedIdentity): Promise<boolean>
  /** Whether some person at the connection is linked to the account. */
  isLinked(query: { connectionId: Uuid; userId: Uuid }): Promise<boolean>
  /** The account with this address, in any case. */
  findAccount(address: string): Promise<KnownAccount | null>
  /** Creates an account with a verified address and a personal wallet, without a password. False if it is taken. */
  createAccount(account: NewAccount): Promise<boolean>
}

export interface LinkedIdentity {
  readonly userId: Uuid
  readonly placedBy: string | null
  /** The account's present address. */
  readonly email: string
}

export interface SavedIdentity {
  readonly connectionId: Uuid
  readonly organizationId: Uuid
  readonly subject: string
  readonly userId: Uuid
  readonly placedBy: string | null
}

export interface KnownAccount {
  readonly userId: Uuid
  readonly isVerified: boolean
  readonly hasSecondFactor: boolean
}

export interface NewAccount {
  readonly userId: Uuid
  readonly walletId: Uuid
  readonly email: string
  readonly name: string
}

/** Emails before the last certificate of a SAML provider ends. */
export interface CertificateNotices {
  /** Enabled connections to SAML providers, by id. */
  list(query: { readonly after: Uuid | null; readonly atMost: number }): Promise<readonly EndingConnection[]>
  /**
   * Queues an email to each administrator of the organization, once for each certificate and number of days. Returns
   * false if it was queued before.
   */
  tell(
    notice: {
      readonly connection: EndingConnection
      readonly certificate: string
      readonly endsAtMs: number
      readonly days: number
    },
    terms: { readonly creditsUrl: string; readonly nowMs: number },
  ): Promise<boolean>
}

export interface EndingConnection {
  readonly id: Uuid
  readonly name: string
  /** As PEM. */
  readonly certificates: readonly string[]
  readonly organization: { readonly name: string; readonly slug: string; readonly walletId: Uuid }
}

/** The values of a TXT record, looked up in the account's turn. Empty if there is none. */
export type ResolveTxt = (name: string, account: string) => Promise<readonly string[]>
