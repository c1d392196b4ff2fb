import type { Team } from '#domain/organizations/team.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { isUuid } from '#lib/uuid.ts'
import type { OrganizationBooks } from '#ports/organizations.ts'

/** A team of the organization that is being changed; those of others are as unknown as those that never were. */
export async function readTeam(books: OrganizationBooks, teamId: string): Promise<Team> {
  const team = isUuid(teamId) ? await books.findTeam(teamId) : null
  if (team === null) throw new GatewayError('notFound', { message: 'There is no such team.' })
  return team
}
