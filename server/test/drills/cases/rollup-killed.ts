import assert from 'node:assert/strict'
import type { Pool } from 'pg'
import type { Drill } from '../drill.ts'
import { addUpstream } from '../setup/add-upstream.ts'
import { loadScenario, startLoad } from '../setup/load.ts'
import { until } from '../setup/until.ts'

// Small batches, so that a rollup is almost always in progress.
const env = { WEIR_USAGE_ROLLUP_MS: '10', WEIR_USAGE_ROLLUP_BATCH: '5' }

/** P20. */
export const rollupKilled: Drill = {
  name: 'rollup-killed',
  requires: 'workers killed at every point of a rollup, and two at once: each request is in each sum exactly once',
  long: true,
  async start(world) {
    await addUpstream(world)
    await world.simulator.play(loadScenario)
    const callers = await Promise.all(Array.from({ length: 4 }, () => world.createClient()))
    const gateway = await world.startGateway()
    await world.workers[0]?.kill()

    return async (random) => {
      const load = startLoad(world, random, { targets: () => [gateway], callers, clients: 6 })
      for (const when of random.shuffle(['before-rollup', 'mid-rollup', 'before-rollup-commit', 'after-rollup'])) {
        const failpoints = `${when}=exit@${random.integer(1, 4)}`
        // A worker that dies before it is ready has already fulfilled its purpose.
        const mortal = world.startWorker({ env: { ...env, WEIR_FAILPOINTS: failpoints } })
        await mortal.then(({ exited }) => exited).catch(() => {})
      }
      const [first, second] = await Promise.all([world.startWorker({ env }), world.startWorker({ env })])
      await load.waitForEnds(random.integer(0, 12))
      await first.kill()
      await load.stop()
      await waitUntilRolledUp(world.pool)
      await second.kill()
      const { rows } = await world.pool.query<Record<string, string>>(comparison)
      for (const row of rows) assert.equal(row['summed'], row['settled'], `${row['what']} of all requests`)
    }
  },
}

async function waitUntilRolledUp(pool: Pool): Promise<void> {
  await until(async () => {
    const { rows } = await pool.query<{ waiting: string }>(
      'SELECT count(*) AS waiting FROM generations, rollup_state WHERE settled_position >= rolled_up_below',
    )
    return rows[0]?.waiting === '0' ? null : `${rows[0]?.waiting} requests are still not rolled up`
  })
}

const comparison = `SELECT t.name || ' requests' AS what, t.requests::text AS summed, (SELECT count(*) FROM generations)::text AS settled
    FROM (SELECT 'hours' AS name, sum(requests) AS requests FROM usage_hours
      UNION ALL SELECT 'days', sum(requests) FROM usage_days UNION ALL SELECT 'months', sum(requests) FROM usage_months
      UNION ALL SELECT 'account days', sum(requests) FROM usage_account_days) AS t
  UNION ALL SELECT t.name || ' spend', t.spent::text,
      (SELECT sum(amount_nano) FROM ledger_transfers WHERE kind = 'charge')::text
    FROM (SELECT 'hours' AS name, sum(spent_nano) AS spent FROM usage_hours
      UNION ALL SELECT 'days', sum(spent_nano) FROM usage_days UNION ALL SELECT 'months', sum(spent_nano) FROM usage_months
      UNION ALL SELECT 'account days', sum(spent_nano) FROM usage_account_days) AS t`
