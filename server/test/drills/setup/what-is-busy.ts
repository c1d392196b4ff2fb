import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { readMetrics } from './read-metric.ts'
import type { ServerProcess } from './server-process.ts'

const queues = ['holds', 'settles'].map((queue) => `weir_queue_depth\\{queue="${queue}"\\}`)
const names = ['weir_holds_open', ...queues, 'weir_spool_settlements']

/** What living gateways still hold, queue or spool, or null when all are idle. */
export async function whatIsBusy(gateways: readonly ServerProcess[]): Promise<string | null> {
  for (const gateway of gateways.filter(({ isAlive }) => isAlive)) {
    const values = await readMetrics(gateway, names)
    if (values.some((value) => value > 0)) return `${names.join(', ')} are ${values.join(', ')} in ${gateway.url}`
    const spooled = await readdir(join(gateway.dataFolder, 'spool')).catch(() => [])
    if (spooled.length > 0) return `a spool file: ${spooled.join(', ')}`
  }
  return null
}
