import type { JsonObject } from '#lib/json.ts'
import type { EnabledConnection } from '#ports/sign-on.ts'
import { startPath } from './render-connection.ts'

/** An organization's sign-on as strangers see it. */
export function renderFound(found: EnabledConnection | null): JsonObject | null {
  if (found === null) return null
  return { organization: found.organizationName, start: startPath(found), enforced: found.enforced }
}
