import type { Caller } from '#domain/access/caller.ts'
import { mayCallModel } from '#domain/access/judge-model.ts'

/** Which models a caller is shown, where an organization allows its keys some alone. Null for whoever may call them all. */
export function restrictionOf(caller: Caller | null): ((modelId: string) => boolean) | null {
  if (caller?.kind !== 'key' || (caller.principal.organization?.allowedModels.length ?? 0) === 0) return null
  const { principal } = caller
  return (modelId) => mayCallModel(principal, modelId)
}
