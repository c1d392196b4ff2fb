import type { Client } from '#domain/access/client.ts'
import type { JsonObject } from '#lib/json.ts'
import type { Uuid } from '#lib/uuid.ts'

/**
 * The actor of a change. An operator uses the `weir` command, an operator key or a session; a directory uses a
 * provisioning token; the system acts on its own.
 */
export interface Actor {
  readonly kind: 'user' | 'key' | 'operator' | 'system' | 'anonymous' | 'scim_token'
  readonly id: string | null
  readonly name: string | null
}

/** The chain of entries that belong to no organization. */
export const platformChain: Uuid = '00000000-0000-0000-0000-000000000000'

export const operatorActor: Actor = { kind: 'operator', id: null, name: null }
export const systemActor: Actor = { kind: 'system', id: null, name: null }

/** Actions are `<object>.<verb>`; the API contract names those of breakers. */
export type AuditAction =
  | `${'org' | 'team' | 'org_member'}.cb.${'tripped' | 'update'}`
  | `${'org' | 'team' | 'org_member'}.allowed_models.update`
  | `org.${'create' | 'update' | 'suspend' | 'unsuspend' | 'credit'}`
  | `team.${'create' | 'update' | 'delete'}`
  | `org_member.${'add' | 'update' | 'remove'}`
  | `invitation.${'create' | 'update' | 'resend' | 'revoke' | 'accept'}`
  | `key.${'create' | 'update' | 'rotate' | 'delete'}`
  | `user.${'cb.update' | 'delete' | 'password.set' | 'verify' | 'suspend' | 'unsuspend' | 'credit' | 'sign_in.attacked'}`
  | `wallet.unbilled.exceeded`
  | `byok.key.${'create' | 'update' | 'delete'}`
  | `filter.rule.${'create' | 'update' | 'delete'}`
  | `filter.${'blocked' | 'redacted' | 'flagged'}`
  | `institution.key.${'create' | 'update' | 'delete'}`
  | `institution.session.revoke`
  | `institution.code.refused`
  | `scim.token.${'create' | 'rotate' | 'revoke'}`
  | `scim.user.update`
  | `scim.group.${'create' | 'update' | 'delete'}`
  | `evidence.show`
  | `end_customer.${'create' | 'update' | 'transfer' | 'token.create' | 'token.revoke' | 'settings.update'}`
  | `run.stop`
  | `customer.note.${'add' | 'remove'}`
  | `customer.view.${'begin' | 'end'}`
  | `provider.${'add' | 'update' | 'key.replace' | 'circuit.open' | 'circuit.close'}`
  | `route.${'add' | 'remove'}`
  | `catalogue.${'approve' | 'import' | 'reject' | 'undo'}`
  | `free.${'set' | 'remove'}`
  | `auto.tier.update`
  | `month.close`
  | `brake.${'on' | 'off'}`
  | `webhook.secret.${'set' | 'remove'}`
  | `${'webhook' | 'mail' | 'sink'}.repeat`
  | `operator.${'add' | 'update' | 'remove'}`
  | `secrets.rotate`
  | `top_up.${'order' | 'paid' | 'refund' | 'dispute' | 'dispute_won' | 'dispute_lost' | 'mismatch'}`
  | `wallet.${'write_off' | 'redeem' | 'grant_expired' | 'billing_profile'}`
  | `invoice.${'issue' | 'remind' | 'suspend' | 'unsuspend'}`
  | `campaign.${'create' | 'update'}`
  | `payment_method.${'add' | 'remove'}`
  | `auto_top_up.${'update' | 'off'}`
  | `alerts.update`
  | `sign_on.domain.${'add' | 'verify' | 'remove'}`
  | `sign_on.connection.${'create' | 'update' | 'delete'}`
  | `sign_on.groups.update`
  | `sign_on.identity.link`

/** The actor, chain and request, shared by all entries of one change. */
export interface AuditStamp {
  /** The organization, or the platform's own chain. */
  readonly chainId: Uuid
  readonly actor: Actor
  readonly requestId: string | null
}

/** One entry to append. It never contains request content or secrets. */
export interface AuditEntry extends AuditStamp {
  readonly action: AuditAction
  readonly target: { readonly kind: string; readonly id: string } | null
  readonly before?: JsonObject | null
  readonly after?: JsonObject | null
  readonly details?: JsonObject | null
}

/** With `operates`, the client does what only operators can do. An operator may also act as a member. */
export function actorOf(client: Client, { operates = false } = {}): Actor {
  // The log is immutable, but personal data must be erasable: it stores only the ids of people, and listings look up
  // their addresses.
  if (client.kind === 'session') {
    // What happens in a view is the operator's doing.
    const { userId } = client.view?.operator ?? client.person
    return { kind: operates || client.view !== null ? 'operator' : 'user', id: userId, name: null }
  }
  const { keyId, keyName, keyType } = client.principal
  return { kind: keyType === 'operator' ? 'operator' : 'key', id: keyId, name: keyName }
}
