import { breakerJson } from '#domain/access/breaker-json.ts'
import type { LayerKind, LayerOwner } from '#domain/access/layer-owner.ts'
import type { AuditAction, AuditStamp } from '#domain/audit/audit-entry.ts'
import { changedValues } from '#domain/audit/changed-values.ts'
import type { Announce } from '#ports/announce.ts'
import type { BreakerBook } from '#ports/organization-rules.ts'
import type { BreakerChange } from './parse-breaker-change.ts'
import { noSuchOwner } from './read-breaker.ts'

export interface BreakerDeps {
  readonly book: BreakerBook
  readonly announce: Announce
}

/** Changes the breaker of an organization, team or member, and has every process forget what it knew of it. */
export async function changeBreaker(
  { book, announce }: BreakerDeps,
  { owner, change, stamp }: { owner: LayerOwner; change: BreakerChange; stamp: AuditStamp },
): Promise<void> {
  const exists = await book.change(owner, change, (settingsBefore, settingsAfter) => {
    const [before, after] = [breakerJson(settingsBefore), breakerJson(settingsAfter)]
    if (changedValues(before, after) === null) return null
    const target = { kind: owner.kind, id: owner.id }
    return { ...stamp, action: actions[owner.kind], target, before, after }
  })
  if (!exists) throw noSuchOwner(owner)
  await announce({ organizationId: owner.organizationId })
}

const actions = {
  organization: 'org.cb.update',
  team: 'team.cb.update',
  member: 'org_member.cb.update',
} as const satisfies Record<LayerKind, AuditAction>
