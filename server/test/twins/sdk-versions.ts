import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { objectAt, parseJsonObject, stringAt } from '#lib/json.ts'
import { sdksFolder } from './sdks-folder.ts'

export function sdkVersions(): Readonly<Record<string, string>> {
  const manifest = parseJsonObject(readFileSync(join(sdksFolder, 'package.json'), 'utf8')) ?? {}
  const versions = Object.entries(objectAt(manifest, 'dependencies'))
  return Object.fromEntries(versions.map(([name, version]) => [name, String(version)]))
}

/** The date of the last run with these versions. */
export function verifiedOn(): string {
  const text = readFileSync(join(import.meta.dirname, 'verified.json'), 'utf8')
  return stringAt(parseJsonObject(text) ?? {}, 'date') ?? ''
}
