import type { JsonValue } from '#lib/json.ts'
import { type ConfigSources, type ReadSetting, readFileTree, readSetting } from './parse-config.ts'
import { listSettings, type Setting } from './settings.ts'

/** A setting as operators see it, never with a secret value. */
export interface DescribedSetting {
  readonly key: string
  readonly variable: string
  readonly shown: string
  readonly source: ReadSetting['source']
}

/** All settings with their values and sources, even if the configuration is invalid. */
export function describeConfig(sources: ConfigSources): DescribedSetting[] {
  const file = readFileTree(sources.fileText)
  return listSettings().map((setting) => {
    const { value, source, variable } = readSetting(setting, sources.env, file)
    return { key: setting.key, variable, shown: shownValue(setting, value), source }
  })
}

function shownValue({ isSecret }: Setting, value: JsonValue | undefined): string {
  if (value === undefined) return '(missing)'
  if (value === null) return '(none)'
  if (Array.isArray(value) && value.length === 0) return '(none)'
  if (isSecret) return '(set, not shown)'
  return withoutPassword(Array.isArray(value) ? value.join(', ') : String(value))
}

/** Removes the password from a URL, both before the host and in the query string. */
function withoutPassword(text: string): string {
  return text.replace(/(:\/\/[^:/@\s]*):.*@/, '$1:…@').replace(/([?&][^=&]*password=)[^&]*/gi, '$1…')
}
