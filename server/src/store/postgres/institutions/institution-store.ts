import type { Pool, PoolClient } from 'pg'
import type { AuditEntry, AuditStamp } from '#domain/audit/audit-entry.ts'
import { changedValues } from '#domain/audit/changed-values.ts'
import { describeInstitutionKey } from '#domain/institutions/institution-terms.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { InstitutionStore } from '#ports/institutions.ts'
import { appendAudit } from '../audit/audit.sql.ts'
import { refuseWhenAway } from '../faults.ts'
import { lockOrganization } from '../organizations/organizations.sql.ts'
import { inTransaction } from '../with-client.ts'
import {
  findInstitutionKey,
  insertInstitutionKey,
  listInstitutionKeys,
  revokeInstitutionKey,
  updateInstitutionKey,
} from './institution-keys.sql.ts'
import { recountPersons } from './person-months.sql.ts'
import { listSessions, revokeSessions } from './sessions.sql.ts'

/** Institution keys in Postgres. Each change commits together with its entry in the organization's audit log. */
export function createInstitutionStore(pool: Pool, clock: () => number): InstitutionStore {
  const change = <Result>(work: (client: PoolClient) => Promise<Result>): Promise<Result> =>
    refuseWhenAway(inTransaction(pool, 'READ COMMITTED', work))
  const append = (client: PoolClient, entries: readonly AuditEntry[]) => appendAudit(client, entries, clock())

  return {
    list: (organizationId) => refuseWhenAway(listInstitutionKeys(pool, organizationId)),
    find: (reference) => refuseWhenAway(findInstitutionKey(pool, reference)),
    listSessions: (query) => refuseWhenAway(listSessions(pool, query)),
    create: (key, stamp) =>
      change(async (client) => {
        await lockOrganization(client, key.organizationId)
        if (!(await insertInstitutionKey(client, key))) return null
        const after = describeInstitutionKey({ ...key, enabled: true })
        await append(client, [{ ...stamp, action: 'institution.key.create', target: keyTarget(key.id), after }])
        return findInstitutionKey(client, { organizationId: key.organizationId, keyId: key.id })
      }),
    update: (reference, decide, stamp) =>
      change(async (client) => {
        const before = await findInstitutionKey(client, reference, 'lock')
        if (before === null) return null
        const after = decide(before)
        const changed = changedValues(describeInstitutionKey(before), describeInstitutionKey(after))
        if (changed === null) return before
        await updateInstitutionKey(client, before.id, after)
        if (after.terms.personMonthQuota !== before.terms.personMonthQuota) await recountPersons(client, before.id)
        await append(client, [{ ...stamp, action: 'institution.key.update', target: keyTarget(before.id), ...changed }])
        return findInstitutionKey(client, reference)
      }),
    delete: (reference, stamp) =>
      change(async (client) => {
        const key = await findInstitutionKey(client, reference, 'lock')
        if (key === null) return false
        await revokeInstitutionKey(client, key.id)
        const before = describeInstitutionKey(key)
        await append(client, [{ ...stamp, action: 'institution.key.delete', target: keyTarget(key.id), before }])
        return true
      }),
    revokeSessions: (reference, which, stamp) =>
      change(async (client) => {
        if ((await findInstitutionKey(client, reference)) === null) return null
        const ended = await revokeSessions(client, reference.keyId, which)
        await append(
          client,
          ended.map(({ id, email }) => revocation(stamp, { id, email, keyId: reference.keyId })),
        )
        return ended.map(({ tokenHash }) => tokenHash)
      }),
  }
}

function keyTarget(id: Uuid) {
  return { kind: 'institution_key', id } as const
}

function revocation(stamp: AuditStamp, session: { id: Uuid; email: string; keyId: Uuid }): AuditEntry {
  return {
    ...stamp,
    action: 'institution.session.revoke',
    target: { kind: 'institution_session', id: session.id },
    details: { institutionKeyId: session.keyId, email: session.email },
  }
}
