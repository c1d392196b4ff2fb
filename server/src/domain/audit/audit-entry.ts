import type { Client } from '#domain/access/client.ts'
import type { JsonObject } from '#lib/json.ts'
import type { Uuid } from '#lib/uuid.ts'

/** Who did something. An operator works with the `weir` command or with an operator's key, the system by itself. */
export interface Actor {
  readonly kind: 'user' | 'key' | 'operator' | 'system' | 'anonymous'
  readonly id: string | null
  readonly name: string | null
}

/** The chain of entries that belong to no organization. */
export const platformChain: Uuid = '00000000-0000-0000-0000-000000000000'

export const operatorActor: Actor = { kind: 'operator', id: null, name: null }
export const systemActor: Actor = { kind: 'system', id: null, name: null }

/** Actions are `<what>.<verb>`; those of breakers are named by the API's contract. */
export type AuditAction =
  | `${'org' | 'team' | 'org_member'}.cb.${'tripped' | 'update'}`
  | `${'org' | 'team' | 'org_member'}.allowed_models.update`
  | `org.${'create' | 'update' | 'suspend' | 'unsuspend' | 'credit'}`
  | `team.${'create' | 'update' | 'delete'}`
  | `org_member.${'add' | 'update' | 'remove'}`
  | `key.${'create' | 'update' | 'rotate' | 'delete'}`
  | `user.${'cb.update' | 'delete' | 'password.set' | 'verify' | 'suspend' | 'unsuspend' | 'credit' | 'sign_in.attacked'}`
  | `wallet.unbilled.exceeded`
  | `byok.key.${'create' | 'update' | 'delete'}`
  | `filter.rule.${'create' | 'update' | 'delete'}`
  | `filter.${'blocked' | 'redacted' | 'flagged'}`
  | `institution.key.${'create' | 'update' | 'delete'}`
  | `institution.session.revoke`
  | `institution.code.refused`
  | `evidence.show`
  | `provider.${'add' | 'update' | 'key.replace' | 'circuit.open' | 'circuit.close'}`
  | `route.${'add' | 'remove'}`
  | `catalogue.${'approve' | 'reject'}`
  | `free.${'set' | 'remove'}`
  | `auto.tier.update`
  | `brake.${'on' | 'off'}`
  | `webhook.secret.${'set' | 'remove'}`
  | `secrets.rotate`
  | `top_up.${'order' | 'paid' | 'refund' | 'dispute' | 'dispute_won' | 'dispute_lost' | 'mismatch'}`
  | `wallet.${'write_off' | 'redeem' | 'grant_expired' | 'billing_profile'}`
  | `invoice.${'issue' | 'remind' | 'suspend' | 'unsuspend'}`
  | `campaign.${'create' | 'update'}`
  | `payment_method.${'add' | 'remove'}`
  | `auto_top_up.${'update' | 'off'}`
  | `alerts.update`

/** Who, where and under which request: what every entry of one change shares. */
export interface AuditStamp {
  /** The organization, or the platform's own chain. */
  readonly chainId: Uuid
  readonly actor: Actor
  readonly requestId: string | null
}

/** One entry to append. Never content of requests, never secrets. */
export interface AuditEntry extends AuditStamp {
  readonly action: AuditAction
  readonly target: { readonly kind: string; readonly id: string } | null
  readonly before?: JsonObject | null
  readonly after?: JsonObject | null
  readonly details?: JsonObject | null
}

export function actorOf(client: Client): Actor {
  // The log cannot be changed, and people can be forgotten: it has their ids, and a list of it looks their addresses
  // up.
  if (client.kind === 'session') return { kind: 'user', id: client.person.userId, name: null }
  const { keyId, keyName, keyType } = client.principal
  return { kind: keyType === 'operator' ? 'operator' : 'key', id: keyId, name: keyName }
}
