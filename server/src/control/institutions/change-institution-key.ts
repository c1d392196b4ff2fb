import { readNameField } from '#control/read-fields.ts'
import type { AuditStamp } from '#domain/audit/audit-entry.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { malformed } from '#errors/malformed.ts'
import type { JsonObject } from '#lib/json.ts'
import type { Announce } from '#ports/announce.ts'
import type { InstitutionStore, InstitutionKey, InstitutionKeyReference } from '#ports/institutions.ts'
import { parseEduConfig } from './parse-edu-config.ts'

export interface InstitutionDeps {
  readonly store: InstitutionStore
  readonly announce: Announce
}

/**
 * Changes an institution key. Running sessions keep their duration and quotas; disabling the key rejects its sessions
 * at once.
 */
export async function changeInstitutionKey(
  { store, announce }: InstitutionDeps,
  reference: InstitutionKeyReference,
  { body, stamp }: { body: JsonObject; stamp: AuditStamp },
): Promise<InstitutionKey> {
  const name = readNameField(body, 'name', 200)
  const enabled = body['enabled']
  if (enabled !== undefined && typeof enabled !== 'boolean') throw malformed('enabled must be true or false.')
  const changed = await store.update(
    reference,
    (key) => ({
      name: name ?? key.name,
      enabled: enabled ?? key.enabled,
      terms: parseEduConfig(body['eduConfig'], key.terms),
    }),
    stamp,
  )
  if (changed === null) throw missingInstitutionKey()
  await announce({ organizationId: reference.organizationId })
  return changed
}

/**
 * Permanently deletes an institution key. No more codes are sent for it, and its sessions are rejected. Their usage is
 * retained.
 */
export async function deleteInstitutionKey(
  { store, announce }: InstitutionDeps,
  reference: InstitutionKeyReference,
  stamp: AuditStamp,
): Promise<void> {
  if (!(await store.delete(reference, stamp))) throw missingInstitutionKey()
  await announce({ organizationId: reference.organizationId })
}

/** A key of another organization gets the same response as a key that does not exist. */
export function missingInstitutionKey(): GatewayError {
  return new GatewayError('notFound', { message: 'Institution key not found.' })
}

export function missingInstitutionSession(): GatewayError {
  return new GatewayError('notFound', { message: 'Session not found or already ended.' })
}
