import assert from 'node:assert/strict'
import type { Drill, Pace } from '../drill.ts'
import { addUpstream } from '../setup/add-upstream.ts'
import type { Transcript } from '../setup/call.ts'
import { type Load, startLoad } from '../setup/load.ts'
import { type MortalUpstream, startMortalUpstream } from '../setup/mortal-upstream.ts'
import type { Random } from '../setup/random.ts'
import type { World } from '../setup/world.ts'

const upstreamCount = 4
const env = { WEIR_BREAKER_FAILURES: '3', WEIR_BREAKER_OPEN_MS: '1000' }

export const upstreamFailoverUnderLoad: Drill = {
  name: 'upstream-failover-under-load',
  requires: 'upstreams killed and revived at random under load: no call fails but streams that had begun, unbilled',
  long: true,
  async start(world) {
    const upstreams = await Promise.all(Array.from({ length: upstreamCount }, () => startMortalUpstream(world)))
    for (const [index, { url }] of upstreams.entries()) {
      const vendor = index < upstreamCount / 2 ? 'openai' : 'openrouter'
      await addUpstream(world, { url, vendor, name: `upstream-${index}` })
    }
    const gateways = await Promise.all([world.startGateway({ env }), world.startGateway({ env })])
    const callers = await Promise.all(Array.from({ length: 8 }, () => world.createClient()))
    return async (random, _point, pace) => {
      const savedBefore = await countSaved(world)
      const load = startLoad(world, random, { targets: () => gateways, callers, clients: 16 })
      await strike({ load, upstreams, random }, deathsIn(pace))
      // It is random whether a killed upstream had a request that another upstream can answer, so it repeats until one
      // did.
      while ((await countSaved(world)) === savedBefore) await strike({ load, upstreams, random }, 1)
      const seen = await load.stop()
      const failed = seen.filter((one) => !isGood(one))
      assert.deepEqual(failed.slice(0, 3), [], `${failed.length} of ${seen.length} calls failed`)
    }
  },
}

function deathsIn({ isShort }: Pace): number {
  return isShort ? 12 : 60
}

interface Scene {
  load: Load
  upstreams: readonly MortalUpstream[]
  random: Random
}

/** Kills and revives at random. All upstreams are alive at the end. */
async function strike({ load, upstreams, random }: Scene, deathsMax: number): Promise<void> {
  const revivals: Promise<void>[] = []
  const revive = (upstream: MortalUpstream): void => {
    revivals.push(upstream.revive())
  }
  for (let deaths = 0; deaths < deathsMax; ) {
    await load.waitForEnds(random.integer(1, 12))
    const chosen = random.pick(upstreams)
    if (chosen.aliveSinceMs === null) {
      if (!chosen.isReviving) revive(chosen)
    } else if (isSpare(chosen, { load, upstreams })) {
      deaths += 1
      await chosen.kill()
    }
  }
  for (const upstream of upstreams) if (upstream.aliveSinceMs === null && !upstream.isReviving) revive(upstream)
  await Promise.all(revivals)
}

/** Whether every running request has another upstream that was alive at its start, and so can be served to the end. */
function isSpare(chosen: MortalUpstream, { load, upstreams }: Omit<Scene, 'random'>): boolean {
  const others = upstreams.filter((upstream) => upstream !== chosen)
  const firstStartedAtMs = Math.min(Date.now(), ...load.running.map(({ soFar }) => soFar.startedAtMs))
  return others.some(({ aliveSinceMs }) => aliveSinceMs !== null && aliveSinceMs < firstStartedAtMs)
}

/** A complete response, or a started stream that ends with an error frame; the invariants check its refund. */
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
