import { parseAllowedModels } from '#domain/access/parse-allowed-models.ts'
import { type AllowedModelsLayers, resolveAllowedModels } from '#domain/access/resolve-allowed-models.ts'
import type { AuditAction, AuditStamp } from '#domain/audit/audit-entry.ts'
import { changedValues } from '#domain/audit/changed-values.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { malformed } from '#errors/malformed.ts'
import type { Announce } from '#ports/announce.ts'
import type { AllowedModelsStore, ModelListOwner } from '#ports/organization-rules.ts'

export interface AllowedModelsDeps {
  readonly store: AllowedModelsStore
  readonly announce: Announce
}

/** Replaces the whole list, and makes every process drop its cached data of the organization. */
export async function changeAllowedModels(
  { store, announce }: AllowedModelsDeps,
  request: { owner: ModelListOwner; allowedModels: unknown; stamp: AuditStamp },
): Promise<AllowedModelsView> {
  const { owner, stamp } = request
  const parsed = parseAllowedModels(request.allowedModels)
  if (!parsed.accepted) throw malformed(parsed.problem)
  const patterns = [...parsed.patterns]
  const exists = await store.replace(owner, patterns, (before) => {
    const changed = changedValues({ allowedModels: [...before] }, { allowedModels: patterns })
    return changed === null ? null : { ...stamp, action: actions[owner.kind], target: targetOf(owner), ...changed }
  })
  if (!exists) throw noSuchOwner(owner)
  await announce({ organizationId: owner.organizationId })
  return readAllowedModels(store, owner)
}

const actions = {
  organization: 'org.allowed_models.update',
  team: 'team.allowed_models.update',
  member: 'org_member.allowed_models.update',
} as const satisfies Record<ModelListOwner['kind'], AuditAction>

function targetOf(owner: ModelListOwner): { kind: string; id: string } {
  switch (owner.kind) {
    case 'organization':
      return { kind: owner.kind, id: owner.organizationId }
    case 'team':
      return { kind: owner.kind, id: owner.teamId }
    case 'member':
      return { kind: owner.kind, id: owner.memberId }
  }
}

/** A list, and the effective list that results from it and the levels above. */
interface AllowedModelsView {
  readonly allowedModels: readonly string[]
  readonly resolvedAllowedModels: readonly string[] | null
  readonly layers: AllowedModelsLayers
}

export async function readAllowedModels(store: AllowedModelsStore, owner: ModelListOwner): Promise<AllowedModelsView> {
  const layers = await store.find(owner)
  if (layers === null) throw noSuchOwner(owner)
  return { allowedModels: layers[owner.kind], resolvedAllowedModels: resolveAllowedModels(layers), layers }
}

function noSuchOwner({ kind }: ModelListOwner): GatewayError {
  return new GatewayError('notFound', { message: `The ${kind} was not found.` })
}
