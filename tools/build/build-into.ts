import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { bundleServer } from './bundle-server.ts'
import { copyProgramFiles, type Sites } from './copy-program-files.ts'
import { warmCompileCache } from './warm-compile-cache.ts'
import { writeNotices } from './write-notices.ts'

/**
 * Writes the whole build to a folder: the server as a few modules, the schema, catalogues, the console and the
 * documentation.
 */
export async function buildInto(folder: string, sites: Sites): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  copyProgramFiles(folder, sites)
  writeNotices(folder, await bundleServer(join(folder, 'server')))
  await warmCompileCache(folder)
}
