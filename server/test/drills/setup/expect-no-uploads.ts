import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { until } from './until.ts'

/** Files of forms are deleted soon after their requests. */
export async function expectNoUploads(dataFolder: string): Promise<void> {
  await until(async () => {
    const left = await readdir(join(dataFolder, 'uploads'))
    return left.length === 0 ? null : `uploads stayed: ${left.join(', ')}`
  })
}
