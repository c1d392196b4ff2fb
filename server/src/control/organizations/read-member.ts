import type { Member } from '#domain/organizations/member.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { OrganizationBooks } from '#ports/organizations.ts'

/** As the member is now, under the lock: the door may have seen an earlier state. */
export async function readMember(books: OrganizationBooks, memberId: Uuid): Promise<Member> {
  const member = await books.findMember({ memberId })
  if (member === null) throw new GatewayError('notFound', { message: 'There is no such member.' })
  return member
}
