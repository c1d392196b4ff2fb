import { missingInstitutionKey } from '#control/institutions/change-institution-key.ts'
import { isUuid } from '#lib/uuid.ts'
import type { InstitutionKeyReference } from '#ports/institutions.ts'
import { type EndpointRequest, organizationOf } from '../endpoint.ts'

/** The key that the path names; what is no id cannot be anybody's. */
export function institutionKeyOf(request: EndpointRequest): InstitutionKeyReference {
  const keyId = request.params['institutionKeyId'] ?? ''
  if (!isUuid(keyId)) throw missingInstitutionKey()
  return { organizationId: organizationOf(request).organizationId, keyId }
}
