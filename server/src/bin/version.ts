import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseJsonObject, stringAt } from '#lib/json.ts'

/** The version of this program, as its package states it. */
export function readVersion(): string {
  const text = readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')
  return stringAt(parseJsonObject(text) ?? {}, 'version') ?? 'unknown'
}
