import type { AuditStamp } from '#domain/audit/audit-entry.ts'
import type { Uuid } from '#lib/uuid.ts'
import { describeOwnKey } from './describe-own-key.ts'
import type { OwnKeyDeps } from './own-key-deps.ts'
import { readOwnKey } from './read-own-key.ts'

/** Deletes an own key with its mappings for good; calls are served by the platform from then on. */
export async function deleteOwnKey(
  deps: OwnKeyDeps,
  request: { organizationId: Uuid; id: Uuid; stamp: AuditStamp },
): Promise<void> {
  const { organizationId, id, stamp } = request
  await deps.store.change(organizationId, async (keys) => {
    const before = readOwnKey(await keys.list(), id)
    await keys.delete(id)
    const target = { kind: 'own_key', id }
    await keys.append({ ...stamp, action: 'byok.key.delete', target, before: describeOwnKey(before) })
  })
  await deps.changed()
}
