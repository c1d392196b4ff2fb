import type { Pool, PoolClient } from 'pg'
import type { Organization } from '#domain/organizations/organization.ts'
import type { SealingKey } from '#lib/seal.ts'
import type { LockedOrganization, Organizations } from '#ports/organizations.ts'
import { appendAudit } from '../audit/audit.sql.ts'
import { refuseWhenAway } from '../faults.ts'
import { recountWindows } from '../money/spend-windows.sql.ts'
import { inTransaction } from '../with-client.ts'
import { listBudgeted } from './import.sql.ts'
import { endInstitutionSessions, listMemberAddresses } from './institution-people.sql.ts'
import { lockedInvitations } from './locked-invitations.ts'
import {
  countMembers,
  deleteMember,
  demoteTeamAdmins,
  findMember,
  findMembersByAddress,
  insertMember,
  listMemberPage,
  listMembers,
  revokeOrganizationKeys,
  updateMember,
} from './members.sql.ts'
import {
  countFounded,
  findOrganization,
  insertOrganization,
  listJoined,
  listOrganizations,
  lockOrganization,
  readOrganizationSpend,
  updateOrganization,
} from './organizations.sql.ts'
import {
  countTeams,
  deleteTeam,
  findTeam,
  findTeamName,
  insertTeam,
  listTeamPage,
  listTeams,
  readTeams,
  updateTeam,
} from './teams.sql.ts'

/** Organizations in Postgres. Without a sealing key, no change can queue the email of an invitation. */
export function createOrganizations(pool: Pool, sealingKey: SealingKey | null = null): Organizations {
  return {
    listJoined: (query) => refuseWhenAway(listJoined(pool, query)),
    find: (reference) => refuseWhenAway(findOrganization(pool, reference)),
    list: () => refuseWhenAway(listOrganizations(pool)),
    readSpend: (query) => refuseWhenAway(readOrganizationSpend(pool, query)),
    listTeams: (query) => refuseWhenAway(listTeams(pool, query)),
    listTeamPage: (query, page) => refuseWhenAway(listTeamPage(pool, query, page)),
    listMembers: (query) => refuseWhenAway(listMembers(pool, query)),
    listMemberPage: (query, page) => refuseWhenAway(listMemberPage(pool, query, page)),
    create: ({ organization, walletId, admin, founder }, entries) =>
      refuseWhenAway(
        inTransaction(pool, 'READ COMMITTED', async (client) => {
          if (founder !== null && (await countFounded(client, founder.userId)) >= founder.max) return 'full'
          const founderId = founder?.userId ?? null
          if (!(await insertOrganization(client, { organization, walletId, founderId }))) return 'slug_taken'
          await insertMember(client, organization.id, admin)
          await appendAudit(client, entries, Date.now())
          return 'created'
        }),
      ),
    change: (organizationId, work) =>
      refuseWhenAway(
        inTransaction(pool, 'READ COMMITTED', async (client) => {
          const organization = await lockOrganization(client, organizationId)
          return organization === null ? null : work(lockedOrganization(client, organization, sealingKey))
        }),
      ),
  }
}

export function lockedOrganization(
  client: PoolClient,
  organization: Organization,
  sealingKey: SealingKey | null,
): LockedOrganization {
  const organizationId = organization.id
  return {
    organization,
    update: (changed) => updateOrganization(client, changed),
    countTeams: () => countTeams(client, organizationId),
    listTeams: () => readTeams(client, organizationId),
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
    listMemberAddresses: (memberId) => listMemberAddresses(client, memberId),
    endInstitutionSessions: (addresses) => endInstitutionSessions(client, organizationId, addresses),
    recountWindows: (windows) => recountWindows(client, windows),
    invitations: lockedInvitations(client, organizationId, sealingKey),
    listBudgeted: (nowMs) => listBudgeted(client, organizationId, nowMs),
    findMembersByAddress: (emails) => findMembersByAddress(client, organizationId, emails),
    append: (entries) => appendAudit(client, entries, Date.now()),
  }
}
