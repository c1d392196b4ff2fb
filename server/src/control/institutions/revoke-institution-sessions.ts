import type { AuditStamp } from '#domain/audit/audit-entry.ts'
import type { InstitutionKeyReference, SessionChoice } from '#ports/institutions.ts'
import { type InstitutionDeps, missingInstitutionKey } from './change-institution-key.ts'

/** Revokes sessions and tells every process. Returns the number of revoked sessions. */
export async function revokeInstitutionSessions(
  { store, announce }: InstitutionDeps,
  reference: InstitutionKeyReference,
  { which, stamp }: { which: SessionChoice; stamp: AuditStamp },
): Promise<number> {
  const tokenHashes = await store.revokeSessions(reference, which, stamp)
  if (tokenHashes === null) throw missingInstitutionKey()
  await Promise.all(tokenHashes.map((keyHash) => announce({ keyHash })))
  return tokenHashes.length
}
