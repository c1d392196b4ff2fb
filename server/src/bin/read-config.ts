import type { Config } from '#config/config-schema.ts'
import { parseConfig } from '#config/parse-config.ts'
import { readTextFile } from './read-text-file.ts'

/** The configuration of this process: its environment, and the file that `WEIR_CONFIG` names. */
export function readConfig(): Config {
  const path = process.env.WEIR_CONFIG
  const isNamed = path !== undefined && path !== ''
  const words = { what: 'The configuration file', check: ' Check WEIR_CONFIG.' }
  return parseConfig({ env: process.env, fileText: isNamed ? readTextFile(path, words) : undefined })
}
