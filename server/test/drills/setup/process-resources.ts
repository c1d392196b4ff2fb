import { readdir, readFile } from 'node:fs/promises'
import { until } from './until.ts'

export interface Resources {
  descriptors: number
  rssKb: number
}

export async function readResources(pid: number): Promise<Resources> {
  const [files, status] = await Promise.all([readdir(`/proc/${pid}/fd`), readFile(`/proc/${pid}/status`, 'utf8')])
  return { descriptors: files.length, rssKb: Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) }
}

// Pools may have grown by a few connections, and garbage collection may be pending.
const descriptorsMargin = 12
const rssMarginKb = 80_000

/** I6: the resources of a disconnected client are freed. */
export async function expectResourcesBack(pid: number, before: Resources): Promise<void> {
  await until(async () => {
    const now = await readResources(pid)
    const isBack = now.descriptors <= before.descriptors + descriptorsMargin && now.rssKb <= before.rssKb + rssMarginKb
    return isBack ? null : `I6: from ${JSON.stringify(before)} to ${JSON.stringify(now)}`
  })
}
