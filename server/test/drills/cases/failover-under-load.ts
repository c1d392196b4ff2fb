import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import type { Drill } from '../drill.ts'
import { addUpstream } from '../setup/add-upstream.ts'
import type { Transcript } from '../setup/call.ts'
import { startLoad } from '../setup/load.ts'
import { type MortalUpstream, startMortalUpstream } from '../setup/mortal-upstream.ts'
import type { Random } from '../setup/random.ts'
import type { World } from '../setup/world.ts'

const upstreamCount = 4
const shortMs = 4_000
// Five points of the long form are two minutes.
const longMs = 24_000
// Longer than one call takes, so that whoever is tried last in it was alive when it began.
const settledMs = 500

export const failoverUnderLoad: Drill = {
  name: 'failover-under-load',
  requires: 'upstreams killed and revived at random under load: no call fails but streams that had begun, unbilled',
  async start(world) {
    const upstreams = await Promise.all(Array.from({ length: upstreamCount }, () => startMortalUpstream(world)))
    for (const [index, { url }] of upstreams.entries()) {
      const vendor = index < upstreamCount / 2 ? 'openai' : 'openrouter'
      await addUpstream(world, { url, vendor, name: `upstream-${index}` })
    }
    const env = { WEIR_BREAKER_FAILURES: '3', WEIR_BREAKER_OPEN_MS: '1000' }
    const gateways = await Promise.all([world.startGateway({ env }), world.startGateway({ env })])
    const callers = await Promise.all(Array.from({ length: 8 }, () => world.createCaller()))
    return async (random, _point, { isShort }) => {
      const load = startLoad(world, random, { targets: () => gateways, callers, clients: 16 })
      const deaths = await strikeUntil(Date.now() + (isShort ? shortMs : longMs), upstreams, random)
      const seen = await load.stop()
      const failed = seen.filter((one) => !isGood(one))
      assert.deepEqual(failed.slice(0, 3), [], `${failed.length} of ${seen.length} calls failed, ${deaths} deaths`)
      assert.ok(deaths > 1 && seen.length > 50, `${deaths} deaths, ${seen.length} calls`)
      assert.ok((await countSaved(world)) > 0, 'some calls were answered by another upstream than the first')
    }
  },
}

/** Kills and revives, never the only one that has been alive for a while. Everybody lives when it is over. */
async function strikeUntil(untilMs: number, upstreams: readonly MortalUpstream[], random: Random): Promise<number> {
  let deaths = 0
  const revivals: Promise<void>[] = []
  const revive = (upstream: MortalUpstream): void => {
    revivals.push(upstream.revive())
  }
  while (Date.now() < untilMs) {
    await wait(random.integer(20, 250))
    const chosen = random.pick(upstreams)
    if (chosen.aliveSinceMs === null) {
      if (!chosen.isReviving) revive(chosen)
    } else if (upstreams.some((other) => other !== chosen && isSettled(other))) {
      deaths += 1
      await chosen.kill()
    }
  }
  for (const upstream of upstreams) if (upstream.aliveSinceMs === null && !upstream.isReviving) revive(upstream)
  await Promise.all(revivals)
  return deaths
}

function isSettled({ aliveSinceMs }: MortalUpstream): boolean {
  return aliveSinceMs !== null && Date.now() - aliveSinceMs > settledMs
}

/** A whole answer, or a stream that had begun and ends with an error frame; that it was refunded is among the invariants. */
function isGood({ status, end, errorCode, streamed, chunks, sawDone }: Transcript): boolean {
  if (status !== 200 || end !== 'complete') return false
  return errorCode === null || (streamed && chunks > 0 && sawDone)
}

async function countSaved({ pool }: World): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    'SELECT count(*)::integer AS count FROM generations WHERE jsonb_array_length(attempts) > 1 AND cost_nano > 0',
  )
  return rows[0]?.count ?? 0
}
