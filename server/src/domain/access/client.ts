import type { Uuid } from '#lib/uuid.ts'
import type { OperatorRole } from './operator-roles.ts'
import type { Principal } from './principal.ts'

/** The sender of a request: the holder of a key, or a signed-in person. */
export type Client =
  | { readonly kind: 'key'; readonly principal: Principal }
  | { readonly kind: 'session'; readonly person: SignedInPerson; readonly view: CustomerView | null }

/**
 * An operator views the console as a customer. `person` is the customer then, and the request only reads: the edge
 * rejects all others. Null if `person` signed in.
 */
export interface CustomerView {
  readonly id: Uuid
  readonly operator: Person
}

export interface SignedInPerson extends Person {
  readonly sessionId: Uuid
  /** When the session began, which is the last time the person authenticated. */
  readonly signedInAtMs: number
  /** Whether the session began with a second factor. */
  readonly passedSecondFactor: boolean
  /** Null for people who do not operate the platform. */
  readonly operatorRole: OperatorRole | null
}

export interface Person {
  readonly userId: Uuid
  readonly email: string
  readonly name: string
  /** The personal wallet. */
  readonly walletId: Uuid
  readonly suspended: boolean
}

/** The kind of credential of a request; the access table says where each is accepted. */
export type Credential =
  | 'standard_key'
  | 'management_key'
  | 'institution_session'
  | 'customer_token'
  | 'session'
  | 'operator_key'

export function credentialOf(client: Client): Credential {
  if (client.kind === 'session') return 'session'
  if (client.principal.customerToken !== null) return 'customer_token'
  switch (client.principal.keyType) {
    case 'standard':
      return 'standard_key'
    case 'management':
      return 'management_key'
    case 'institution':
      return 'institution_session'
    case 'operator':
      return 'operator_key'
  }
}

/** The role in which the client operates the platform, or null. */
export function operatorRoleOf(client: Client): OperatorRole | null {
  return client.kind === 'key' ? client.principal.operatorRole : client.person.operatorRole
}

/** The person behind the request, or null. */
export function userOf(client: Client): Uuid | null {
  return client.kind === 'session' ? client.person.userId : client.principal.userId
}
