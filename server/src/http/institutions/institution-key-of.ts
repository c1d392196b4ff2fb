import { missingInstitutionKey } from '#control/institutions/change-institution-key.ts'
import { isUuid } from '#lib/uuid.ts'
import type { InstitutionKeyReference } from '#ports/institutions.ts'
import { type EndpointRequest, organizationOf } from '../endpoint.ts'

/** The key in the path. An invalid id is reported as not found. */
export function institutionKeyOf(request: EndpointRequest): InstitutionKeyReference {
  const keyId = request.params['institutionKeyId'] ?? ''
  if (!isUuid(keyId)) throw missingInstitutionKey()
  return { organizationId: organizationOf(request).organizationId, keyId }
}
