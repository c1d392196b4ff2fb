import {
  breakerDefaults,
  breakerOf,
  type BreakerSettings,
  resolveBreaker,
  type ResolvedBreaker,
} from '#domain/access/breaker.ts'
import { breakerJson } from '#domain/access/breaker-json.ts'
import type { LayerKind, LayerOwner } from '#domain/access/layer-owner.ts'
import { type Actor, type AuditAction, type AuditStamp, platformChain } from '#domain/audit/audit-entry.ts'
import { changedValues } from '#domain/audit/changed-values.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { Announce } from '#ports/announce.ts'
import type { BreakerStore } from '#ports/organization-rules.ts'
import type { PersonalBreaker, Users } from '#ports/people.ts'
import type { BreakerChange } from './parse-breaker-change.ts'

export interface BreakerDeps {
  readonly store: BreakerStore
  readonly announce: Announce
}

/** Changes the breaker of an organization, team or member, and makes every process drop its cached copy. */
export async function changeBreaker(
  { store, announce }: BreakerDeps,
  { owner, change, stamp }: { owner: LayerOwner; change: BreakerChange; stamp: AuditStamp },
): Promise<void> {
  const exists = await store.change(owner, change, (settingsBefore, settingsAfter) => {
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

/**
 * Changes the spend breaker over all keys of a person. The change is in the platform's audit log, because it belongs to
 * no organization.
 */
export async function changePersonalBreaker(
  deps: { users: Pick<Users, 'changeBreaker'>; announce: Announce },
  input: { userId: Uuid; change: BreakerChange; actor: Actor; requestId: string | null },
): Promise<PersonalBreaker> {
  const { userId, change, actor, requestId } = input
  const changed = await deps.users.changeBreaker(userId, settingsOf(change), (before, after) => ({
    chainId: platformChain,
    actor,
    requestId,
    action: 'user.cb.update',
    target: { kind: 'user', id: userId },
    before: breakerJson(before),
    after: breakerJson(after),
  }))
  if (changed === null) throw new GatewayError('notFound', { message: 'User not found.' })
  await deps.announce({ userId })
  return changed
}

// A personal breaker has nothing to inherit `enabled` from but the platform, so null resets it to the default.
function settingsOf({ enabled, ...limits }: BreakerChange): Partial<PersonalBreaker> {
  return enabled === undefined ? limits : { ...limits, enabled: enabled ?? breakerDefaults.enabled }
}

/** The owner's settings, the effective settings, and the current spend against them. */
interface BreakerState {
  readonly settings: BreakerSettings
  readonly resolved: ResolvedBreaker
  readonly spent: { readonly minute: NanoUsd; readonly hour: NanoUsd }
}

export async function readBreaker(store: BreakerStore, owner: LayerOwner, nowMs: number): Promise<BreakerState> {
  const layers = await store.find(owner)
  if (layers === null) throw noSuchOwner(owner)
  const isCounted = breakerOf(layers) !== null
  const spent = await store.readSpend(owner, { nowMs, isCounted })
  return { settings: layers[0], resolved: resolveBreaker(layers), spent }
}

function noSuchOwner({ kind }: LayerOwner): GatewayError {
  return new GatewayError('notFound', { message: `The ${kind} was not found.` })
}
