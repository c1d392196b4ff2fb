import type { Config } from '#config/config-schema.ts'
import type { ConfigSources } from '#config/parse-config.ts'
import { readTextFile } from './read-text-file.ts'

/** Reads the configuration of this process from its environment and the file that `WEIR_CONFIG` names. */
export async function readConfig(): Promise<Config> {
  // Imported here because the help of commands that read settings does not need it.
  const { parseConfig } = await import('#config/parse-config.ts')
  return parseConfig(readConfigSources())
}

export function readConfigSources(): ConfigSources {
  const path = process.env.WEIR_CONFIG
  const isNamed = path !== undefined && path !== ''
  const words = { what: 'The configuration file', check: ' Check WEIR_CONFIG.' }
  return { env: process.env, fileText: isNamed ? readTextFile(path, words) : undefined }
}
