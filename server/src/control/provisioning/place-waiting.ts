import type { AuditEntry } from '#domain/audit/audit-entry.ts'
import type { Uuid } from '#lib/uuid.ts'
import { changeProvisioned, type ProvisioningDeps } from './change-provisioned.ts'
import { placeByGroups } from './place-by-groups.ts'

// A batch takes about 0.2 s. Other changes of the organization, and settles of its members, wait no longer than that.
const batchMax = 50

/**
 * Places members whose groups have changed, in batches, each its own transaction. The place follows from the groups at
 * that moment, so it does not matter who places a member, or how often. Returns whether members still wait.
 */
export async function placeWaiting(
  deps: ProvisioningDeps,
  { organizationId, batches }: { organizationId: Uuid; batches: number },
): Promise<boolean> {
  for (let batch = 0; batch < batches; batch += 1) {
    if ((await placeBatch(deps, organizationId)) < batchMax) return false
  }
  return true
}

function placeBatch(deps: ProvisioningDeps, organizationId: Uuid): Promise<number> {
  return changeProvisioned(deps, { chainId: organizationId }, async (locked, entries: AuditEntry[]) => {
    const waiting = await locked.takePlacements(batchMax)
    const mappings = waiting.length === 0 ? [] : await locked.listMappings()
    for (const { memberId, actor, requestId } of waiting) {
      const stamp = { chainId: organizationId, actor, requestId }
      entries.push(...(await placeByGroups(locked, { memberId, mappings, stamp })))
    }
    return waiting.length
  })
}
