import { readFileSync } from 'node:fs'
import { parseJsonObject, stringAt } from '#lib/json.ts'
import { programFiles } from './program-files.ts'

/** The version of this program, from its package file. */
export function readVersion(): string {
  const text = readFileSync(programFiles.packageFile, 'utf8')
  return stringAt(parseJsonObject(text) ?? {}, 'version') ?? 'unknown'
}
