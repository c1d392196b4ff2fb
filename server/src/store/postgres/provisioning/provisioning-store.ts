import type { Pool, PoolClient } from 'pg'
import type { Organization } from '#domain/organizations/organization.ts'
import type { LockedProvisioning, Provisioning } from '#ports/provisioning.ts'
import { refuseWhenAway } from '../faults.ts'
import { lockedOrganization } from '../organizations/organization-store.ts'
import { lockOrganization } from '../organizations/organizations.sql.ts'
import { findDomainOwner } from '../sign-on/domains.sql.ts'
import { listGroups } from '../sign-on/groups.sql.ts'
import { inTransaction } from '../with-client.ts'
import * as groups from './groups.sql.ts'
import { insertFailure, readOverview } from './overview.sql.ts'
import { listUnplaced, queuePlacements, takePlacements } from './placements.sql.ts'
import * as profiles from './profiles.sql.ts'
import { findScimUser, listScimUsers } from './users.sql.ts'

/** People and groups of directories, in Postgres. */
export function createProvisioning(pool: Pool): Provisioning {
  return {
    listUsers: (query) => refuseWhenAway(listScimUsers(pool, query)),
    findUser: (which) => refuseWhenAway(findScimUser(pool, which)),
    listGroups: (query) => refuseWhenAway(groups.listScimGroups(pool, query)),
    findGroup: (which) => refuseWhenAway(groups.findScimGroup(pool, which)),
    readOverview: (organizationId) => refuseWhenAway(readOverview(pool, organizationId)),
    listUnplaced: (atMost) => refuseWhenAway(listUnplaced(pool, atMost)),
    noteFailure: (failure) => refuseWhenAway(insertFailure(pool, failure)),
    change: (organizationId, work) => {
      const changing = inTransaction(pool, 'READ COMMITTED', async (client) => {
        const organization = await lockOrganization(client, organizationId)
        return organization === null ? null : work(lockedProvisioning(client, organization))
      })
      return refuseWhenAway(changing)
    },
  }
}

function lockedProvisioning(client: PoolClient, organization: Organization): LockedProvisioning {
  const { id } = organization
  return {
    ...lockedOrganization(client, organization, null),
    findOwner: (domain) => findDomainOwner(client, domain),
    findUser: (memberId) => findScimUser(client, { organizationId: id, memberId }),
    findProvisioned: (memberId) => profiles.findProvisioned(client, memberId),
    findTaken: (query) => profiles.findTakenUser(client, id, query),
    findAccount: (email) => profiles.findAccount(client, email),
    createAccount: (account) => profiles.insertAccount(client, account),
    isManaged: (userId) => profiles.isManaged(client, userId),
    updateAccount: (userId, account) => profiles.updateAccount(client, userId, account),
    saveProfile: (memberId, profile, createdAccount) =>
      profiles.upsertProfile(client, id, { memberId, profile, createdAccount }),
    savePlacement: (memberId, placedBy) => profiles.updatePlacement(client, memberId, placedBy),
    queuePlacements: (placements) => queuePlacements(client, id, placements),
    takePlacements: (atMost) => takePlacements(client, id, atMost),
    listGroupNames: (memberId) => groups.listGroupNames(client, memberId),
    listMappings: () => listGroups(client, id),
    findGroup: (groupId) => groups.findLockedGroup(client, { organizationId: id, groupId }),
    findTakenGroup: (query) => groups.findTakenGroup(client, id, query),
    countGroups: () => groups.countGroups(client, id),
    insertGroup: (group) => groups.insertGroup(client, id, group),
    updateGroup: (group) => groups.updateGroup(client, id, group),
    deleteGroup: (groupId) => groups.deleteGroup(client, id, groupId),
    findUnknown: (memberIds) => groups.findUnknownMembers(client, id, memberIds),
    listGroupMembers: (groupId) => groups.listGroupMembers(client, groupId),
    addToGroup: (groupId, memberIds) => groups.addToGroup(client, groupId, memberIds),
    removeFromGroup: (groupId, memberIds) => groups.removeFromGroup(client, groupId, memberIds),
  }
}
