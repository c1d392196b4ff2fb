import type { Pool, PoolClient } from 'pg'
import type { Uuid } from '#lib/uuid.ts'
import type { OpenOwnKeys, OwnKeyStore } from '#ports/own-keys.ts'
import { appendAudit } from '../audit/audit.sql.ts'
import { refuseWhenAway } from '../faults.ts'
import { lockOrganization } from '../organizations/organizations.sql.ts'
import { bumpOwnKeys } from '../revisions.sql.ts'
import { inTransaction } from '../with-client.ts'
import {
  deleteOwnKey,
  findOrganizationKeys,
  insertOwnKey,
  listOwnKeys,
  replaceMappings,
  updateOwnKey,
} from './own-keys.sql.ts'

export function createOwnKeyStore(pool: Pool, nowMs: () => number): OwnKeyStore {
  return {
    list: (organizationId) => refuseWhenAway(listOwnKeys(pool, organizationId)),
    change: (organizationId, work) => {
      const changing = inTransaction(pool, 'READ COMMITTED', async (client) => {
        await lockOrganization(client, organizationId)
        const result = await work(openKeys(client, organizationId, nowMs))
        await bumpOwnKeys(client)
        return result
      })
      return refuseWhenAway(changing)
    },
  }
}

function openKeys(client: PoolClient, organizationId: Uuid, nowMs: () => number): OpenOwnKeys {
  return {
    list: () => listOwnKeys(client, organizationId),
    insert: async (key) => {
      await insertOwnKey(client, organizationId, key)
      await replaceMappings(client, key.id, key.mappings)
    },
    update: async (id, terms) => {
      await updateOwnKey(client, { organizationId, id }, terms)
      await replaceMappings(client, id, terms.mappings)
    },
    delete: (id) => deleteOwnKey(client, { organizationId, id }),
    findOrganizationKeys: (ids) => findOrganizationKeys(client, organizationId, ids),
    append: (entry) => appendAudit(client, [entry], nowMs()),
  }
}
