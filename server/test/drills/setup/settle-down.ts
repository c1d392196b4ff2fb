import type { Pool } from 'pg'
import type { ServerProcess } from './server-process.ts'
import { until } from './until.ts'
import { whatIsBusy } from './what-is-busy.ts'

/**
 * I3: holds are released once their lease has expired. Holds that remain when all live gateways are idle belong to dead
 * gateways. The test expires their leases immediately; a sweep must then release them.
 */
export async function waitForQuiet(
  { pool, gateways }: { pool: Pool; gateways: readonly ServerProcess[] },
  leaseMs: number,
): Promise<void> {
  const passed = new Set<string>()
  await until(async () => (await whatIsBusy(gateways)) ?? (await passLeases(pool, passed, leaseMs)))
}

/** Expires each lease only once, so that a hold that survives its lease stays in the table and fails the drill. */
async function passLeases(pool: Pool, passed: Set<string>, leaseMs: number): Promise<string | null> {
  const { rows } = await pool.query<{ id: string }>(
    'SELECT id, amount_nano, lease_until, clock_timestamp() AS now FROM holds',
  )
  if (rows.length === 0) return null
  const ids = rows.map(({ id }) => id).filter((id) => !passed.has(id))
  if (ids.length > 0) await pool.query(passText, [ids, leaseMs])
  for (const id of ids) passed.add(id)
  return `I3: lease and sweep are over, and there is still an open hold: ${JSON.stringify(rows)}`
}

const passText = `UPDATE holds SET lease_until = lease_until - $2 * interval '1 millisecond' WHERE id = ANY ($1::uuid[])`
