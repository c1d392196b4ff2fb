import { readFileSync } from 'node:fs'
import type { Config } from '#config/config-schema.ts'
import { parseConfig } from '#config/parse-config.ts'

/** The configuration of this process: its environment, and the file that `WEIR_CONFIG` names. */
export function readConfig(): Config {
  const path = process.env.WEIR_CONFIG
  const fileText = path === undefined || path === '' ? undefined : readFileSync(path, 'utf8')
  return parseConfig({ env: process.env, fileText })
}
