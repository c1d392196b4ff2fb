import { randomBytes } from 'node:crypto'
import { keySecretFrom } from '#control/keys/key-secret.ts'
import { readNameField } from '#control/read-fields.ts'
import type { AuditStamp } from '#domain/audit/audit-entry.ts'
import { institutionBounds } from '#domain/institutions/institution-terms.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { malformed } from '#errors/malformed.ts'
import type { JsonObject } from '#lib/json.ts'
import { newUuid, type Uuid } from '#lib/uuid.ts'
import type { InstitutionStore, InstitutionKey } from '#ports/institutions.ts'
import { freshTerms, parseEduConfig } from './parse-edu-config.ts'

interface CreatedInstitutionKey {
  readonly key: InstitutionKey
  /** Returned only once. */
  readonly secret: string
}

/** Creates a key with which people sign in. The organization pays for the usage of their sessions. */
export async function createInstitutionKey(
  store: InstitutionStore,
  input: { organizationId: Uuid; body: JsonObject; stamp: AuditStamp; nowMs: number },
): Promise<CreatedInstitutionKey> {
  const name = readNameField(input.body, 'name', 200)
  if (name === undefined) throw malformed('name is required.')
  const terms = parseEduConfig(input.body['eduConfig'], freshTerms)
  if (terms.allowedDomains.length === 0) throw malformed('eduConfig.allowedDomains is required.')
  const { secret, hash, prefix, suffix } = keySecretFrom(randomBytes(32), 'sk-edu-')
  const id = newUuid(input.nowMs)
  const key = await store.create(
    { id, organizationId: input.organizationId, name, terms, secretHash: hash, prefix, suffix },
    input.stamp,
  )
  if (key !== null) return { key, secret }
  throw new GatewayError('conflict', {
    message: `An organization can have at most ${institutionBounds.keysMax} institution keys. Delete one first.`,
  })
}
