import type { Uuid } from '#lib/uuid.ts'
import type { OpenOwnKeys } from '#ports/own-keys.ts'
import { foreignScope } from './parse-own-key.ts'

/** Refuses a scope that names anything but keys of the organization. */
export async function judgeScopes(keys: OpenOwnKeys, ids: readonly Uuid[]): Promise<void> {
  if (ids.length === 0) return
  const found = new Set(await keys.findOrganizationKeys(ids))
  if (!ids.every((id) => found.has(id))) throw foreignScope()
}
