import type { AuditStamp } from '#domain/audit/audit-entry.ts'
import type { InstitutionKeyReference, SessionChoice } from '#ports/institutions.ts'
import { type InstitutionDeps, missingInstitutionKey } from './change-institution-key.ts'

/** Ends sessions and tells every process; gives how many there were to end. */
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
