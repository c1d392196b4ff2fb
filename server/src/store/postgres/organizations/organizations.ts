import type { Pool, PoolClient } from 'pg'
import type { Organization } from '#domain/organizations/organization.ts'
import type { OrganizationBooks, Organizations } from '#ports/organizations.ts'
import { refuseWhenAway } from '../account/refuse-when-away.ts'
import { appendAudit } from '../audit/append-audit.sql.ts'
import { inTransaction } from '../in-transaction.ts'
import { recountWindows } from '../money/recount-windows.sql.ts'
import { countMembers } from './count-members.sql.ts'
import { countTeams } from './count-teams.sql.ts'
import { deleteMember } from './delete-member.sql.ts'
import { deleteTeam } from './delete-team.sql.ts'
import { demoteTeamAdmins } from './demote-team-admins.sql.ts'
import { findMember } from './find-member.sql.ts'
import { findOrganization } from './find-organization.sql.ts'
import { findTeam } from './find-team.sql.ts'
import { findTeamName } from './find-team-name.sql.ts'
import { insertMember } from './insert-member.sql.ts'
import { insertOrganization } from './insert-organization.sql.ts'
import { insertTeam } from './insert-team.sql.ts'
import { listJoined } from './list-joined.sql.ts'
import { listMembers } from './list-members.sql.ts'
import { listOrganizations } from './list-organizations.sql.ts'
import { listTeams } from './list-teams.sql.ts'
import { lockOrganization } from './lock-organization.sql.ts'
import { revokeOrganizationKeys } from './revoke-organization-keys.sql.ts'
import { updateMember } from './update-member.sql.ts'
import { updateOrganization } from './update-organization.sql.ts'
import { updateTeam } from './update-team.sql.ts'

/** Organizations in Postgres. */
export function createOrganizations(pool: Pool): Organizations {
  return {
    listJoined: (query) => refuseWhenAway(listJoined(pool, query)),
    find: (reference) => refuseWhenAway(findOrganization(pool, reference)),
    list: () => refuseWhenAway(listOrganizations(pool)),
    listTeams: (query) => refuseWhenAway(listTeams(pool, query)),
    listMembers: (query) => refuseWhenAway(listMembers(pool, query)),
    create: ({ organization, walletId, admin }, entries) =>
      inTransaction(pool, 'READ COMMITTED', async (client) => {
        if (!(await insertOrganization(client, { organization, walletId }))) return false
        await insertMember(client, organization.id, admin)
        await appendAudit(client, entries, Date.now())
        return true
      }),
    change: (organizationId, work) =>
      refuseWhenAway(
        inTransaction(pool, 'READ COMMITTED', async (client) => {
          const organization = await lockOrganization(client, organizationId)
          return organization === null ? null : work(openBooks(client, organization))
        }),
      ),
  }
}

function openBooks(client: PoolClient, organization: Organization): OrganizationBooks {
  const organizationId = organization.id
  return {
    organization,
    update: (changed) => updateOrganization(client, changed),
    countTeams: () => countTeams(client, organizationId),
    findTeam: (teamId) => findTeam(client, { organizationId, teamId }),
    isTeamNameTaken: (query) => findTeamName(client, { organizationId, ...query }),
    insertTeam: (team) => insertTeam(client, team),
    updateTeam: (team) => updateTeam(client, team),
    deleteTeam: (teamId) => deleteTeam(client, { organizationId, teamId }),
    countMembers: () => countMembers(client, organizationId),
    findMember: (query) => findMember(client, organizationId, query),
    insertMember: (member) => insertMember(client, organizationId, member),
    updateMember: (member) => updateMember(client, organizationId, member),
    deleteMember: (memberId) => deleteMember(client, { organizationId, memberId }),
    demoteTeamAdmins: (teamId) => demoteTeamAdmins(client, { organizationId, teamId }),
    revokeKeys: ({ memberId = null, teamId = null }) =>
      revokeOrganizationKeys(client, { organizationId, memberId, teamId }),
    recountWindows: (windows) => recountWindows(client, windows),
    append: (entries) => appendAudit(client, entries, Date.now()),
  }
}
