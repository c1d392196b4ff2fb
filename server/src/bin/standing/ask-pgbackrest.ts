import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { lastBackupOf } from '#control/standing/judge-backup.ts'

/** When the newest backup ended; null where pgBackRest is not on this machine, or may not be asked by this user. */
export async function askPgBackRest(): Promise<number | null> {
  try {
    const { stdout } = await promisify(execFile)('pgbackrest', ['info', '--output=json'], { timeout: 10_000 })
    return lastBackupOf(JSON.parse(stdout))
  } catch {
    return null
  }
}
