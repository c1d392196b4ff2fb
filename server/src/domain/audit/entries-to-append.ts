import { type AuditEntry, operatorActor, platformChain } from './audit-entry.ts'

/**
 * The entries that one change leaves. An organization reads its own log, so an operator has neither name nor ID there;
 * the same entry in the platform's log has both.
 */
export function entriesToAppend(entry: AuditEntry): readonly AuditEntry[] {
  const { chainId, actor, details } = entry
  if (chainId === platformChain || actor.kind !== 'operator') return [entry]
  return [
    { ...entry, actor: operatorActor },
    { ...entry, chainId: platformChain, details: { ...details, organizationId: chainId } },
  ]
}
