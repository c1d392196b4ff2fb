import type { Pool, PoolClient } from 'pg'
import type { Uuid } from '#lib/uuid.ts'
import type { OpenSignOn, SignOnStore } from '#ports/sign-on.ts'
import { appendAudit } from '../audit/audit.sql.ts'
import { refuseWhenAway } from '../faults.ts'
import { lockOrganization } from '../organizations/organizations.sql.ts'
import { inTransaction } from '../with-client.ts'
import {
  deleteConnection,
  findConnection,
  findEnabled,
  insertConnection,
  isAdministrator,
  listConnections,
  noteTest,
  updateConnection,
} from './connections.sql.ts'
import { deleteDomain, findDomainOwner, insertDomain, listDomains, verifyDomain } from './domains.sql.ts'
import { findTeams, listGroups, replaceGroups } from './groups.sql.ts'

/** Sign-on settings in Postgres. */
export function createSignOnStore(pool: Pool, nowMs: () => number): SignOnStore {
  return {
    findOwner: (domain) => refuseWhenAway(findDomainOwner(pool, domain)),
    listGroups: (organizationId) => refuseWhenAway(listGroups(pool, organizationId)),
    listDomains: (organizationId) => refuseWhenAway(listDomains(pool, organizationId)),
    listConnections: (organizationId) => refuseWhenAway(listConnections(pool, organizationId)),
    findConnection: (id) => refuseWhenAway(findConnection(pool, id)),
    findEnabled: (domain) => refuseWhenAway(findEnabled(pool, domain)),
    isAdministrator: (query) => refuseWhenAway(isAdministrator(pool, query)),
    noteTest: (id, test) => refuseWhenAway(noteTest(pool, id, test)),
    change: (organizationId, work) => {
      const changing = inTransaction(pool, 'READ COMMITTED', async (client) => {
        await lockOrganization(client, organizationId)
        return work(openSignOn(client, organizationId, nowMs))
      })
      return refuseWhenAway(changing)
    },
  }
}

function openSignOn(client: PoolClient, organizationId: Uuid, nowMs: () => number): OpenSignOn {
  return {
    listDomains: () => listDomains(client, organizationId),
    insertDomain: (domain) => insertDomain(client, organizationId, domain),
    verifyDomain: (id) => verifyDomain(client, { organizationId, id }),
    deleteDomain: (id) => deleteDomain(client, { organizationId, id }),
    listConnections: () => listConnections(client, organizationId),
    insertConnection: (connection) => insertConnection(client, organizationId, connection),
    updateConnection: (change) => updateConnection(client, organizationId, change),
    deleteConnection: (id) => deleteConnection(client, { organizationId, id }),
    listGroups: () => listGroups(client, organizationId),
    replaceGroups: (groups) => replaceGroups(client, organizationId, groups),
    findTeams: (ids) => findTeams(client, organizationId, ids),
    append: (entry) => appendAudit(client, [entry], nowMs()),
  }
}
