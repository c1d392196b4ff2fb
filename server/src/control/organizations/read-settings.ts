import { malformed } from '#errors/malformed.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '#lib/json.ts'

const settingsBytesMax = 8_192

/** What an organization keeps for its own programs and pages: any JSON object of at most 8 KB. Undefined: not there. */
export function readSettingsField(body: JsonObject): JsonObject | undefined {
  const { settings } = body
  if (settings === undefined) return undefined
  if (!isJsonObject(settings)) throw malformed('settings must be an object.')
  if (Buffer.byteLength(JSON.stringify(settings)) > settingsBytesMax) {
    throw malformed(`settings must be at most ${settingsBytesMax} bytes of JSON.`)
  }
  if (!isStorable(settings)) throw malformed('settings must not contain NUL characters or broken Unicode.')
  return settings
}

// Postgres stores every JSON text but these. Bodies are nested 64 levels at most, so the recursion is bounded.
function isStorable(value: JsonValue | undefined): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0')
  if (Array.isArray(value)) return value.every(isStorable)
  if (!isJsonObject(value)) return true
  return Object.entries(value).every(([name, entry]) => isStorable(name) && isStorable(entry))
}
