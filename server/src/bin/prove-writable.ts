import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StartError } from './start-error.ts'

/** Makes the folder and a file in it: what can not be kept should be found out before the first request and not by it. */
export async function proveWritable(folder: string, setting: { key: string; variable: string }): Promise<void> {
  const probe = join(folder, `.probe-${process.pid}`)
  try {
    await mkdir(folder, { recursive: true })
    await writeFile(probe, '')
    await rm(probe, { force: true })
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause)
    const message = `The folder ${folder} cannot be written (${code}). Check ${setting.key} (${setting.variable}).`
    throw new StartError(message, { cause })
  }
}
