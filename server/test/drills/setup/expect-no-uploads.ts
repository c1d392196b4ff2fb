import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { patienceMs } from './server-environment.ts'

/** Files of forms are gone soon after their requests are. */
export async function expectNoUploads(dataFolder: string): Promise<void> {
  const deadlineMs = Date.now() + patienceMs
  for (;;) {
    const left = await readdir(join(dataFolder, 'uploads'))
    if (left.length === 0) return
    if (Date.now() > deadlineMs) throw new Error(`uploads stayed: ${left.join(', ')}`)
    await wait(50)
  }
}
