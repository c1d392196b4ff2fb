/** A provider account as operators see it: never its credential. */
export const accountColumns = `id, name, vendor, base_url AS "baseUrl", credential IS NOT NULL AS "hasCredential", enabled,
    weight, keeps_prompts AS "keepsPrompts", variant`
