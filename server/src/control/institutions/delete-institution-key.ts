import type { AuditStamp } from '#domain/audit/audit-entry.ts'
import type { InstitutionKeyReference } from '#ports/institutions.ts'
import type { InstitutionDeps } from './change-institution-key.ts'
import { missingInstitutionKey } from './missing.ts'

/** Final: no code is sent for it any more, and its sessions are refused. What they used stays on record. */
export async function deleteInstitutionKey(
  { book, announce }: InstitutionDeps,
  reference: InstitutionKeyReference,
  stamp: AuditStamp,
): Promise<void> {
  if (!(await book.delete(reference, stamp))) throw missingInstitutionKey()
  await announce({ organizationId: reference.organizationId })
}
