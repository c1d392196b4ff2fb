import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Config } from '#config/config-schema.ts'
import { programFiles } from './program-files.ts'

/** The folder of the console, or null if it is disabled or was not built. */
export function findConsoleFolder({ enabled, folder }: Config['console']): string | null {
  if (!enabled) return null
  const path = resolve(folder ?? programFiles.consoleFolder)
  return existsSync(join(path, 'index.html')) ? path : null
}
