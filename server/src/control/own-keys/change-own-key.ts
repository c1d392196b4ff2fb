import type { AuditStamp } from '#domain/audit/audit-entry.ts'
import { changedValues } from '#domain/audit/changed-values.ts'
import type { GatewayError } from '#errors/gateway-error.ts'
import { malformed } from '#errors/malformed.ts'
import type { JsonObject } from '#lib/json.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { ModelMapping, StoredOwnKey } from '#ports/own-keys.ts'
import { describeOwnKey, assertBaseUrl, assertScopes, type OwnKeyDeps, readOwnKey } from './own-key-deps.ts'
import { parseOwnKey } from './parse-own-key.ts'

/** Changes the given fields of an own key. The secret cannot be changed; create a new own key instead. */
export async function changeOwnKey(
  deps: OwnKeyDeps,
  request: { organizationId: Uuid; id: Uuid; body: JsonObject; stamp: AuditStamp; nowMs: number },
): Promise<StoredOwnKey> {
  const { organizationId, id, stamp } = request
  readOwnKey(await deps.store.list(organizationId), id)
  const { toggles, ...wish } = parseOwnKey(request.body, deps.catalogue(), request.nowMs)
  if (wish.baseUrl !== undefined) await assertBaseUrl(deps.egress, wish.baseUrl, organizationId)
  const changed = await deps.store.change(organizationId, async (keys) => {
    const before = readOwnKey(await keys.list(), id)
    if (before.way.kind === 'provider' && wish.way !== undefined) throw hasProvider()
    if (wish.scopedKeyIds !== undefined) await assertScopes(keys, wish.scopedKeyIds)
    const mappings = toggled(wish.mappings ?? before.mappings, toggles)
    const after = { ...before, ...wish, mappings }
    const difference = changedValues(describeOwnKey(before), describeOwnKey(after))
    if (difference === null) return before
    await keys.update(id, after)
    await keys.append({ ...stamp, action: 'byok.key.update', target: { kind: 'own_key', id }, ...difference })
    return readOwnKey(await keys.list(), id)
  })
  await deps.changed()
  return changed
}

function hasProvider(): GatewayError {
  return malformed('This key has a provider, which decides the protocol.')
}

function toggled(mappings: readonly ModelMapping[], toggles: ReadonlyMap<string, boolean>): readonly ModelMapping[] {
  const mapped = new Set(mappings.map(({ model }) => model))
  for (const model of toggles.keys()) {
    if (!mapped.has(model))
      throw malformed(`modelToggles: this key has no mapping for ${JSON.stringify(model.slice(0, 100))}.`)
  }
  return mappings.map((mapping) => ({ ...mapping, enabled: toggles.get(mapping.model) ?? mapping.enabled }))
}

/** Permanently deletes an own key with its mappings. The platform serves its requests from then on. */
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
