import { type AuditEntry, operatorActor, platformChain } from '#domain/audit/audit-entry.ts'
import type { ChangeAuthor } from '#ports/keys.ts'

/** An entry of the platform's own audit chain, which records operator actions. */
export function platformEntry(
  { actor, requestId }: ChangeAuthor,
  what: Omit<AuditEntry, 'chainId' | 'actor' | 'requestId'>,
): AuditEntry {
  return { chainId: platformChain, actor, requestId, ...what }
}

/** Changes that an operator makes with the `weir` command belong to no request. */
export function operatorAuthor(nowMs: number): ChangeAuthor {
  return { actor: operatorActor, requestId: null, nowMs }
}
