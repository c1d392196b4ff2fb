import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { lastBackupOf } from '#control/standing/judge-backup.ts'

/** The end time of the newest backup, or null if pgBackRest is not on this machine or this user may not run it. */
export async function askPgBackRest(): Promise<number | null> {
  try {
    const { stdout } = await promisify(execFile)('pgbackrest', ['info', '--output=json'], { timeout: 10_000 })
    return lastBackupOf(JSON.parse(stdout))
  } catch {
    return null
  }
}
