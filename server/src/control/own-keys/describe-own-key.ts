import type { JsonObject } from '#lib/json.ts'
import type { OwnKeyTerms } from '#ports/own-keys.ts'

/** What an own key is made of, for the audit log. Never its secret. */
export function describeOwnKey(key: OwnKeyTerms & { readonly keyMask: string }): JsonObject {
  return {
    name: key.name,
    baseUrl: key.baseUrl,
    keyMask: key.keyMask,
    protocol: key.protocol,
    fallbackMode: key.fallbackMode,
    scopedApiKeyIds: [...key.scopedKeyIds],
    modelMappings: key.mappings.map((mapping) => ({ ...mapping })),
    enabled: key.enabled,
  }
}
