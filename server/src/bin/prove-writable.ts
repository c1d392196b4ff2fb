import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { WritableFolder } from '#config/writable-folders.ts'
import { StartError } from './start-error.ts'

/**
 * Creates each folder and a file in it, so that a folder that is not writable fails at start and not at the first
 * request.
 */
export async function proveWritable(folders: readonly WritableFolder[]): Promise<void> {
  for (const folder of folders) await proveFolder(folder)
}

async function proveFolder({ folder, ...setting }: WritableFolder): Promise<void> {
  const probe = join(folder, `.probe-${process.pid}`)
  try {
    await mkdir(folder, { recursive: true })
    await writeFile(probe, '')
    await rm(probe, { force: true })
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause)
    const message = `The folder ${folder} is not writable (${code}). Check ${setting.key} (${setting.variable}).`
    throw new StartError(message, { cause })
  }
}
