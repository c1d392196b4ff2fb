import type { UsageScope } from '#domain/usage/usage-scope.ts'
import { isUuid } from '#lib/uuid.ts'
import type { UsageFilter } from '#ports/usage.ts'

/** What a caller asks to be left out, as it was sent; null: nothing. */
export interface AskedFilters {
  readonly model: string | null
  readonly apiKeyId: string | null
  readonly app: string | null
}

/**
 * What fits both the scope and the filters; null where nothing can. Keys of others need no rule of their own: within the scope
 * they have used nothing, like keys that never were.
 */
export function narrowScope({ only }: UsageScope, { model, apiKeyId, app }: AskedFilters): UsageFilter | null {
  if (apiKeyId !== null && !isUuid(apiKeyId)) return null
  if (apiKeyId !== null && only !== null && 'keyId' in only && only.keyId !== apiKeyId) return null
  return {
    ...only,
    ...(apiKeyId === null ? {} : { keyId: apiKeyId }),
    ...(model === null ? {} : { model }),
    ...(app === null ? {} : { app }),
  }
}
