import { GatewayError } from '#errors/gateway-error.ts'
import type { OrganizationBooks } from '#ports/organizations.ts'

/** The organization is locked, so a name that is free now is free until the change is committed. */
export async function judgeTeamName(
  books: OrganizationBooks,
  query: Parameters<OrganizationBooks['isTeamNameTaken']>[0],
): Promise<void> {
  if (!(await books.isTeamNameTaken(query))) return
  throw new GatewayError('conflict', { message: `There is already a team called ${query.name}.` })
}
