import type { AuditEntry, AuditStamp } from '#domain/audit/audit-entry.ts'
import {
  type MemberStep,
  type ScimGroupChange,
  type ScimGroupTerms,
  unknownMember,
} from '#domain/provisioning/scim-group.ts'
import { ScimRefusal } from '#domain/provisioning/scim-refusal.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { newUuid, type Uuid } from '#lib/uuid.ts'
import type { GroupNames, LockedGroup, LockedProvisioning } from '#ports/provisioning.ts'
import { changeProvisioned, type ProvisioningDeps } from './change-provisioned.ts'
import { placeWaiting } from './place-waiting.ts'

const groupsMax = 1_000
// A request places up to 1,000 members before it answers, and leaves the others to the workers.
const batchesPerRequest = 20

/** Creates a group with its members, and returns its id. */
export async function createScimGroup(
  deps: ProvisioningDeps,
  { terms, stamp }: { terms: ScimGroupTerms; stamp: AuditStamp },
  nowMs: number,
): Promise<Uuid> {
  return changeGroup(deps, stamp, async (locked, entries) => {
    const group = { id: newUuid(nowMs), displayName: terms.displayName, externalId: terms.externalId }
    await assertFree(locked, group, null)
    if ((await locked.countGroups()) >= groupsMax) {
      throw new GatewayError('conflict', { message: `An organization can have at most ${groupsMax} groups.` })
    }
    await locked.insertGroup(group)
    const moved = await applySteps(locked, group.id, [{ verb: 'add', memberIds: terms.memberIds }])
    entries.push(entryOf('create', group.id, stamp, { displayName: group.displayName, ...moved }))
    await queue(locked, [group.displayName], moved, stamp)
    return group.id
  })
}

/** Changes a group as a PATCH says. A PUT is a change of everything. */
export async function changeScimGroup(
  deps: ProvisioningDeps,
  { groupId, change, stamp }: { groupId: Uuid; change: ScimGroupChange; stamp: AuditStamp },
): Promise<void> {
  await changeGroup(deps, stamp, async (locked, entries) => {
    const { steps, ...names } = change
    const before = await readGroup(locked, groupId)
    const after = { ...before, ...names }
    const isRenamed = before.displayName !== after.displayName
    const hasNewNames = isRenamed || before.externalId !== after.externalId
    if (hasNewNames) {
      await assertFree(locked, after, groupId)
      await locked.updateGroup(after)
    }
    const moved = await applySteps(locked, groupId, steps)
    if (!hasNewNames && moved.added.length + moved.removed.length === 0) return
    const renamed = isRenamed ? { displayName: after.displayName } : {}
    entries.push(entryOf('update', groupId, stamp, { ...renamed, ...moved }))
    const stayed = isRenamed ? await locked.listGroupMembers(groupId) : []
    const affected = { added: [...new Set([...moved.added, ...stayed])], removed: moved.removed }
    await queue(locked, [before.displayName, after.displayName], affected, stamp)
  })
}

/** Deletes a group. Its members stay in the organization. */
export async function deleteScimGroup(
  deps: ProvisioningDeps,
  { groupId, stamp }: { groupId: Uuid; stamp: AuditStamp },
): Promise<void> {
  await changeGroup(deps, stamp, async (locked, entries) => {
    const { displayName } = await readGroup(locked, groupId)
    const removed = await locked.listGroupMembers(groupId)
    await locked.deleteGroup(groupId)
    entries.push(entryOf('delete', groupId, stamp, { displayName }))
    await queue(locked, [displayName], { added: [], removed }, stamp)
  })
}

/**
 * Changes a group and its members in one short transaction, and places the members after it: thousands of them would
 * keep everything else in the organization waiting.
 */
async function changeGroup<Result>(
  deps: ProvisioningDeps,
  stamp: AuditStamp,
  work: (locked: LockedProvisioning, entries: AuditEntry[]) => Promise<Result>,
): Promise<Result> {
  const result = await changeProvisioned(deps, stamp, work)
  await placeWaiting(deps, { organizationId: stamp.chainId, batches: batchesPerRequest })
  return result
}

interface Moved {
  readonly added: readonly Uuid[]
  readonly removed: readonly Uuid[]
}

async function applySteps(locked: LockedProvisioning, groupId: Uuid, steps: readonly MemberStep[]): Promise<Moved> {
  const named = [...new Set(steps.filter(({ verb }) => verb !== 'remove').flatMap(({ memberIds }) => memberIds))]
  const [unknown] = named.length === 0 ? [] : await locked.findUnknown(named)
  if (unknown !== undefined) throw unknownMember(unknown)
  const before = new Set(steps.length === 0 ? [] : await locked.listGroupMembers(groupId))
  const after = new Set(before)
  for (const { verb, memberIds } of steps) {
    if (verb === 'replace') after.clear()
    for (const id of memberIds) {
      if (verb === 'remove') after.delete(id)
      else after.add(id)
    }
  }
  const joining = [...after].filter((id) => !before.has(id))
  const leaving = [...before].filter((id) => !after.has(id))
  const added = joining.length === 0 ? [] : await locked.addToGroup(groupId, joining)
  const removed = leaving.length === 0 ? [] : await locked.removeFromGroup(groupId, leaving)
  return { added, removed }
}

/** Only a group with a mapping gives a place, so a change of another group moves no member. */
async function queue(
  locked: LockedProvisioning,
  names: readonly string[],
  { added, removed }: Moved,
  { actor, requestId }: AuditStamp,
): Promise<void> {
  const mappings = await locked.listMappings()
  if (!mappings.some(({ group }) => names.includes(group))) return
  await locked.queuePlacements({ memberIds: [...added, ...removed], actor, requestId })
}

async function assertFree(locked: LockedProvisioning, group: GroupNames, exceptGroupId: Uuid | null): Promise<void> {
  const taken = await locked.findTakenGroup({ ...group, exceptGroupId })
  if (taken !== null) throw new ScimRefusal('uniqueness', `Another group has this ${taken}.`)
}

async function readGroup(locked: LockedProvisioning, groupId: Uuid): Promise<LockedGroup> {
  const group = await locked.findGroup(groupId)
  if (group === null) throw missingGroup()
  return group
}

function entryOf(
  verb: 'create' | 'update' | 'delete',
  groupId: Uuid,
  stamp: AuditStamp,
  { displayName, added = [], removed = [] }: { displayName?: string } & Partial<Moved>,
): AuditEntry {
  const details = {
    ...(displayName === undefined ? {} : { displayName }),
    ...(added.length === 0 ? {} : { added: added.length }),
    ...(removed.length === 0 ? {} : { removed: removed.length }),
  }
  return { ...stamp, action: `scim.group.${verb}`, target: { kind: 'scim_group', id: groupId }, details }
}

export function missingGroup(): GatewayError {
  return new GatewayError('notFound', { message: 'Group not found.' })
}
