import type { Uuid } from '#lib/uuid.ts'
import type { Principal } from './principal.ts'

/** Who sent a request: the holder of a key, or a person signed in on the website. */
export type Client =
  | { readonly kind: 'key'; readonly principal: Principal }
  | { readonly kind: 'session'; readonly person: SignedInPerson }

export interface SignedInPerson extends Person {
  /** When the session was begun, which is when they last proved who they are. */
  readonly signedInAtMs: number
}

export interface Person {
  readonly userId: Uuid
  readonly email: string
  readonly name: string
  /** The personal wallet. */
  readonly walletId: Uuid
  readonly suspended: boolean
}

/** What a request identified itself with; the access table says where each is accepted. */
export type Credential = 'standard_key' | 'management_key' | 'institution_session' | 'session' | 'operator_key'

export function credentialOf(client: Client): Credential {
  if (client.kind === 'session') return 'session'
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

/** The person behind the request, where there is one. */
export function userOf(client: Client): Uuid | null {
  return client.kind === 'session' ? client.person.userId : client.principal.userId
}
