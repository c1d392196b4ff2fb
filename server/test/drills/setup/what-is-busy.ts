import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Pool } from 'pg'
import { readMetric } from './read-metric.ts'
import type { ServerProcess } from './server-process.ts'

/** The first thing that is still held, queued or spooled; null when all is quiet. */
export async function whatIsBusy(pool: Pool, gateways: readonly ServerProcess[]): Promise<string | null> {
  const { rows } = await pool.query('SELECT id, amount_nano, lease_until, clock_timestamp() AS now FROM holds')
  if (rows.length > 0) return `an open hold: ${JSON.stringify(rows)}`
  for (const gateway of gateways.filter(({ isAlive }) => isAlive)) {
    for (const name of ['weir_holds_open', 'weir_lane_depth', 'weir_spool_waiting']) {
      const value = await readMetric(gateway, name)
      if (value > 0) return `${name} ${value} in ${gateway.url}`
    }
    const spooled = await readdir(join(gateway.dataFolder, 'spool')).catch(() => [])
    if (spooled.length > 0) return `a spool file: ${spooled.join(', ')}`
  }
  return null
}
