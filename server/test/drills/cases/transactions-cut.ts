import assert from 'node:assert/strict'
import type { TestClient } from '#test/setup/accounts.ts'
import { createClient } from '#test/setup/client.ts'
import type { Drill } from '../drill.ts'
import { addUpstream } from '../setup/add-upstream.ts'
import { loadScenario, startLoad } from '../setup/load.ts'
import { openRoad } from '../setup/open-road.ts'
import { proveServedOrRefused } from '../setup/prove-served.ts'
import type { ServerProcess } from '../setup/server-process.ts'
import type { ToxicsProxy } from '../setup/toxics-proxy.ts'
import { until } from '../setup/until.ts'
import type { World } from '../setup/world.ts'

/**
 * The point in a transaction at which its connection ends: before any work, with all work uncommitted, and with the
 * response lost.
 */
const moments = [
  { text: 'BEGIN', when: 'answered' },
  { text: 'COMMIT', when: 'sent' },
  { text: 'COMMIT', when: 'answered' },
] as const

export const transactionsCut: Drill = {
  name: 'transactions-cut',
  requires:
    'connections end at the beginning, before and after the commit of transactions of gateways and workers: no process ends, a change is made whole or not at all',
  hasOwnWorkers: true,
  async start(world) {
    await addUpstream(world)
    await world.simulator.play(loadScenario)
    const [gatewayRoad, workerRoad] = await Promise.all([openRoad(world), openRoad(world)])
    await world.startWorker({ env: { WEIR_POSTGRES_URL: workerRoad.url } })
    const gateway = await world.startGateway({ env: { WEIR_POSTGRES_URL: gatewayRoad.url } })
    const callers = await Promise.all(Array.from({ length: 3 }, () => world.createClient()))
    const [first] = callers
    assert.ok(first !== undefined, 'there is a caller')
    const manager = await world.addKey(first.userId, { type: 'management' })
    return async (random) => {
      const load = startLoad(world, random, { targets: () => [gateway], callers, clients: 4 })
      const edit = (): Promise<void> => editLimit(gateway, { key: manager.key, keyId: first.keyId })
      for (const moment of random.shuffle(moments)) {
        await cutAt(gatewayRoad.proxy, { ...moment, times: random.integer(1, 3) }, edit)
      }
      // A worker makes its own transactions, some seconds apart.
      await cutAt(workerRoad.proxy, { ...random.pick(moments), times: 1 }, edit)
      const seen = await load.stop()
      proveServedOrRefused(world, seen)
      await proveEditsWhole(world, first)
    }
  },
}

/** Continues until this many connections were cut. */
async function cutAt(
  proxy: ToxicsProxy,
  cut: (typeof moments)[number] & { times: number },
  work: () => Promise<void>,
): Promise<void> {
  const before = proxy.cuts
  proxy.apply({ kind: 'cut-after-match', ...cut })
  await until(async () => {
    await work()
    return proxy.cuts - before >= cut.times ? null : `${proxy.cuts - before} of ${cut.times} connections were cut`
  })
  proxy.apply({ kind: 'pass' })
}

let edits = 0

async function editLimit({ url }: ServerProcess, { key, keyId }: { key: string; keyId: string }): Promise<void> {
  edits += 1
  // Each edit sets a different limit, and none is ever reached.
  const body = { spendLimitUsd: 100_000 + edits }
  const { status, text } = await createClient(url, key).send('PATCH', `/v1/keys/${keyId}`, body)
  assert.ok(status === 200 || status === 503, `an edit is made or refused with 503: ${status} ${text}`)
}

/** The key has the limit of its last log entry: a change and its entry are one transaction. */
async function proveEditsWhole({ pool }: World, { keyId }: TestClient): Promise<void> {
  const { rows } = await pool.query<{ limited: string; logged: string }>(
    `SELECT (k.spend_limit_nano / 1000000000)::text AS limited, (SELECT e.after ->> 'spendLimitUsd' FROM audit_entries e
        WHERE e.target_id = k.id::text AND e.after ? 'spendLimitUsd' ORDER BY e.sequence DESC LIMIT 1) AS logged
      FROM api_keys k WHERE k.id = $1`,
    [keyId],
  )
  assert.notEqual(rows[0]?.logged, null, 'an edit was made')
  assert.equal(rows[0]?.limited, rows[0]?.logged, 'the key has the limit that the log says')
}
