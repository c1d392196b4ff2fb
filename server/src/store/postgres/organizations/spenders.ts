import type { Pool } from 'pg'
import type { Spenders } from '#ports/spenders.ts'
import { refuseWhenAway } from '../account/refuse-when-away.ts'
import { findOrganizationWallet } from './find-organization-wallet.sql.ts'
import { listSpendingMembers } from './list-spending-members.sql.ts'
import { listSpendingTeams } from './list-spending-teams.sql.ts'

/** Leaner than what manages teams and members, which adds up the running month for each of them. */
export function createSpenders(pool: Pool): Spenders {
  return {
    findWallet: (organizationId) => refuseWhenAway(findOrganizationWallet(pool, organizationId)),
    listTeams: (organizationId) => refuseWhenAway(listSpendingTeams(pool, organizationId)),
    listMembers: (query) => refuseWhenAway(listSpendingMembers(pool, query)),
  }
}
