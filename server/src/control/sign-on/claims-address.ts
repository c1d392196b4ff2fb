import { domainOfAddress } from '#domain/sign-on/domain-name.ts'
import { isMailAddress } from '#lib/mail-address.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { OrganizationDomains } from '#ports/sign-on.ts'

/** Whether the address is in a domain that the organization has verified. */
export async function claimsAddress(
  domains: Pick<OrganizationDomains, 'findOwner'>,
  { organizationId, address }: { organizationId: Uuid; address: string },
): Promise<boolean> {
  const domain = isMailAddress(address) ? domainOfAddress(address) : null
  return domain !== null && (await domains.findOwner(domain)) === organizationId
}
