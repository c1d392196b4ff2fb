import type { Role } from '#domain/access/roles.ts'
import type { JsonObject } from '#lib/json.ts'
import type { Uuid } from '#lib/uuid.ts'

export const connectionKinds = ['oidc', 'saml'] as const
export type ConnectionKind = (typeof connectionKinds)[number]

/** An OpenID Connect provider. Its client secret is stored encrypted beside the settings. */
export interface OidcSettings {
  readonly issuer: string
  readonly clientId: string
  /** The claim that lists the person's groups. */
  readonly groupsClaim: string
}

/** A SAML identity provider, as its metadata describes it. */
export interface SamlSettings {
  /** The provider's entity id. */
  readonly issuer: string
  readonly signInUrl: string
  /** Certificates that may sign assertions, as PEM. Several while the provider changes its certificate. */
  readonly certificates: readonly string[]
  /** The attribute that holds the email address. Null to use the name id. */
  readonly emailAttribute: string | null
  /** The attribute that identifies a person for ever. Null to use the name id. */
  readonly subjectAttribute: string | null
  readonly groupsAttribute: string
  /** Whether the provider may begin a sign-in. */
  readonly allowsUnsolicited: boolean
}

export type ConnectionSettings = ({ readonly kind: 'oidc' } & OidcSettings) | ({ readonly kind: 'saml' } & SamlSettings)

/** An organization's identity provider, without its secret. */
export interface Connection {
  readonly id: Uuid
  readonly organizationId: Uuid
  readonly name: string
  readonly settings: ConnectionSettings
  readonly hasSecret: boolean
  readonly enabled: boolean
  /** Whether people with an address in a verified domain must sign in here. */
  readonly enforced: boolean
  /** The result of the last test sign-in with the current settings. */
  readonly lastTest: ConnectionTest | null
  /** When a test sign-in last succeeded with the current settings. */
  readonly testedAtMs: number | null
  readonly createdAtMs: number
}

export interface ConnectionTest {
  readonly atMs: number
  /** Null if the test succeeded. */
  readonly error: string | null
  /** The claims or attributes that the provider sent. */
  readonly claims: JsonObject
}

/** Roles that a group of an identity provider can give. A provider never makes administrators. */
export const groupRoles = ['billing_viewer', 'team_admin', 'member'] as const satisfies readonly Role[]
export type GroupRole = (typeof groupRoles)[number]

/** The place in the organization that a group of the identity provider gives. */
export interface GroupMapping {
  readonly group: string
  readonly teamId: Uuid | null
  readonly role: GroupRole
}

/** A connection's values for the audit log. */
export function connectionValues({
  name,
  settings,
  enabled,
  enforced,
}: Pick<Connection, 'name' | 'settings' | 'enabled' | 'enforced'>): JsonObject {
  return { name, ...settingsValues(settings), enabled, enforced }
}

function settingsValues(settings: ConnectionSettings): JsonObject {
  return settings.kind === 'oidc' ? { ...settings } : { ...settings, certificates: [...settings.certificates] }
}

export function groupValues(groups: readonly GroupMapping[]): JsonObject {
  return { groups: groups.map(({ group, teamId, role }) => ({ group, teamId, role })) }
}
