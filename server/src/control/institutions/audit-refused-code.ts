import type { CodeRefusal } from '#domain/institutions/judge-code-request.ts'
import type { AuditTrail } from '#ports/audit.ts'
import type { DoorKey } from '#ports/institutions.ts'
import type { Entry } from './read-entry.ts'

/**
 * Tells an organization of somebody whom its key did not let in. Of the address only the domain is kept, and only where it is
 * one: what strangers send must not fill the log. The pace of code requests bounds how many entries there can be.
 */
export async function auditRefusedCode(
  audit: AuditTrail,
  refused: {
    readonly key: Pick<DoorKey, 'id' | 'organizationId'>
    readonly entry: Entry
    readonly requestId: string
    readonly reason: CodeRefusal | 'mail_failed' | 'attempts_used_up'
  },
): Promise<void> {
  const { key, entry, requestId, reason } = refused
  await audit.append({
    chainId: key.organizationId,
    actor: { kind: 'anonymous', id: null, name: null },
    requestId,
    action: 'institution.code.refused',
    target: { kind: 'institution_key', id: key.id },
    details: { reason, domain: entry.address?.domain ?? null },
  })
}
